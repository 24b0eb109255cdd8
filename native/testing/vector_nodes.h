// Writes the query nodes of vector searches in tests.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "testing/node_bytes.h"

namespace quarry::testing {

struct KnnNode {
  std::vector<float> vector;
  uint32_t k = 10;
  NodeBytes filter = {};  // empty: none
  uint32_t num_candidates = 0;
  float similarity = std::numeric_limits<float>::quiet_NaN();
  float boost = 1;
  std::string name = {};
  std::string field = "emb";
  NodeBytes root_filter = {};  // empty: none

  NodeBytes bytes() const {
    ByteWriter out;
    out.put(boost);
    out.put_string(name);
    out.put_string(field);
    out.put(static_cast<uint32_t>(vector.size()));
    for (const float value : vector) out.put(value);
    out.put(k);
    out.put(num_candidates);
    out.put(similarity);
    out.put(static_cast<uint8_t>((filter.empty() ? 0 : 1) | (root_filter.empty() ? 0 : 2)));
    out.put_bytes(Bytes(filter));
    out.put_bytes(Bytes(root_filter));
    return raw_node(PlanOp::kKnn, out);
  }
};

struct SemanticNode {
  std::string text;
  uint32_t k = 10;
  NodeBytes filter = {};                                                 // empty: none
  std::vector<std::pair<std::string, std::vector<float>>> vectors = {};  // by remote embedder
  uint32_t num_candidates = 0;
  float boost = 1;
  std::string field = "body";
  bool passages = true;

  NodeBytes bytes() const {
    ByteWriter out;
    out.put(boost);
    out.put_string("");
    out.put_string(field);
    out.put_string(text);
    out.put(static_cast<uint32_t>(vectors.size()));
    for (const auto& [embedder, vector] : vectors) {
      out.put_string(embedder);
      out.put(static_cast<uint32_t>(vector.size()));
      for (const float value : vector) out.put(value);
    }
    out.put(k);
    out.put(num_candidates);
    out.put(uint8_t{passages});
    out.put(uint8_t{!filter.empty()});
    out.put_bytes(Bytes(filter));
    return raw_node(PlanOp::kSemantic, out);
  }
};

/// The hits of an earlier phase in one shard.
struct FoundInShard {
  uint32_t index = 0;
  uint32_t shard = 0;
  std::vector<std::pair<uint32_t, float>> docs;
};

inline NodeBytes doc_scores(const std::vector<FoundInShard>& lists, float boost = 1,
                            std::string_view name = {}) {
  ByteWriter out;
  out.put(boost);
  out.put_string(name);
  out.put(static_cast<uint32_t>(lists.size()));
  for (const FoundInShard& list : lists) {
    out.put(list.index);
    out.put(list.shard);
    out.put(static_cast<uint32_t>(list.docs.size()));
    for (const auto& [doc, score] : list.docs) {
      out.put(doc);
      out.put(score);
    }
  }
  return raw_node(PlanOp::kDocScores, out);
}

}  // namespace quarry::testing
