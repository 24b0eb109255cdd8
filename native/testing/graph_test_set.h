// For tests and the fuzz target: seeded vectors with their codes and graph, exact results by a scan
// in double precision, and a function that reads all data of a graph.
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "testing/test.h"
#include "testing/vectors.h"
#include "vector/hnsw/hnsw_builder.h"
#include "vector/hnsw/hnsw_search.h"
#include "vector/sq8/plane_encoder.h"
#include "vector/vector_search.h"
#include "vector/vector_space.h"

namespace quarry::testing {

/// Unit rows with their codes.
class CodedSet {
 public:
  CodedSet(std::vector<float> rows, uint32_t dims) : dims_(dims), rows_(std::move(rows)) {
    normalise(rows_, dims);
    const auto count = static_cast<uint32_t>(rows_.size() / dims);
    space_ = train_space({rows_.data(), count, dims}, VectorSimilarity::kCosine);
    encoded_ = *encode_planes(space_, {rows_.data(), count, dims}, nullptr);
    planes_ = planes_of(space_, encoded_);
  }
  CodedSet(const CodedSet&) = delete;
  CodedSet& operator=(const CodedSet&) = delete;

  uint32_t size() const { return planes_.size; }
  uint32_t dims() const { return dims_; }
  const CodePlanes& planes() const { return planes_; }
  /// The same rows without a sketch.
  CodePlanes without_sketch() const {
    CodePlanes planes = planes_;
    planes.sketch_dims = 0;
    planes.sketch = {};
    return planes;
  }
  std::span<const float> row(uint32_t ordinal) const {
    return {rows_.data() + size_t{ordinal} * dims_, dims_};
  }
  double similarity(std::span<const float> query, uint32_t ordinal) const {
    return simd::kernels().dot_exact(query.data(), row(ordinal).data(), dims_);
  }
  /// The k-th best similarity among the live rows (null: all), of which there are at least k.
  double kth_best(std::span<const float> query, uint32_t k, const Bitset* live = nullptr) const {
    std::vector<double> all;
    for (uint32_t i = 0; i < size(); ++i) {
      if (live == nullptr || live->test(i)) all.push_back(similarity(query, i));
    }
    std::nth_element(all.begin(), all.begin() + (k - 1), all.end(), std::greater<>());
    return all[k - 1];
  }

 private:
  uint32_t dims_;
  std::vector<float> rows_;
  VectorSpace space_;
  EncodedPlanes encoded_;
  CodePlanes planes_;
};

/// A section and the graph read from it.
struct BuiltGraph {
  std::vector<uint8_t> section;
  std::unique_ptr<const HnswGraph> graph;
};

inline BuiltGraph open_graph(std::vector<uint8_t> section, uint32_t size) {
  BuiltGraph built{std::move(section), nullptr};
  Result<std::unique_ptr<const HnswGraph>> opened = HnswGraph::open(built.section, size);
  if (opened.ok()) built.graph = std::move(opened).value();
  return built;
}

inline BuiltGraph build_graph(const CodePlanes& planes, const HnswOptions& options = {}) {
  Result<std::vector<uint8_t>> section = build_hnsw(planes, options, nullptr, {}, nullptr);
  return open_graph(std::move(section).value(), planes.size);
}

/// Query vectors near the rows of the set.
inline std::vector<float> queries_near(Shape shape, uint32_t dims, uint64_t seed, uint32_t count) {
  std::vector<float> all = VectorSet(shape, dims, seed).rows(count + 5000);
  all.erase(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(size_t{5000} * dims));
  normalise(all, dims);
  return all;
}

/// The k best hits of a search after rescoring, by ordinal.
inline std::vector<uint32_t> best_of(const CodedSet& set, std::span<const float> query,
                                     const std::vector<HnswCandidate>& candidates, uint32_t k) {
  std::vector<uint32_t> best;
  for (const HnswCandidate& candidate : candidates) best.push_back(candidate.ordinal);
  std::sort(best.begin(), best.end(), [&](uint32_t a, uint32_t b) {
    return set.similarity(query, a) > set.similarity(query, b);
  });
  best.resize(std::min<size_t>(best.size(), k));
  return best;
}

/// The mean share of the true k best (ties count) that searches with `base` find.
inline double recall(const CodedSet& set, std::span<const float> queries, HnswQuery base) {
  HnswSearcher searcher;
  QueryCodes codes;
  StopCheck stop(nullptr, 0);
  VectorCounters counters;
  size_t hits = 0;
  size_t wanted = 0;
  for (size_t at = 0; at < queries.size(); at += set.dims()) {
    const std::span<const float> query = queries.subspan(at, set.dims());
    codes.prepare(*base.planes, query);
    base.codes = &codes;
    const double least = set.kth_best(query, base.k, base.live) - 1e-9;
    for (const uint32_t ordinal :
         best_of(set, query, searcher.search(base, stop, counters), base.k)) {
      hits += set.similarity(query, ordinal) >= least ? 1 : 0;
    }
    wanted += base.k;
  }
  return static_cast<double>(hits) / static_cast<double>(wanted);
}

/// The number of nodes reachable from the entry point on layer 0.
inline uint32_t reachable(const HnswGraph& graph) {
  std::vector<bool> seen(graph.size(), false);
  std::vector<uint32_t> queue = {graph.entry_point()};
  seen[graph.entry_point()] = true;
  for (size_t at = 0; at < queue.size(); ++at) {
    const LinkList links = graph.links(queue[at]);
    for (uint32_t i = 0; i < links.size(); ++i) {
      if (seen[links[i]]) continue;
      seen[links[i]] = true;
      queue.push_back(links[i]);
    }
  }
  return static_cast<uint32_t>(queue.size());
}

/// Returns false when a link leads out of the graph or to a node that is not on its level.
inline bool read_everything(const HnswGraph& graph) {
  for (uint32_t node = 0; node < graph.size(); ++node) {
    const LinkList links = graph.links(node);
    for (uint32_t i = 0; i < links.size(); ++i) {
      if (links[i] >= graph.size()) return false;
    }
  }
  for (uint32_t index = 0; index < graph.upper_size(); ++index) {
    if (graph.upper_node(index) >= graph.size()) return false;
    if (graph.upper_levels(index) > graph.top_level()) return false;
    for (uint32_t level = 1; level <= graph.upper_levels(index); ++level) {
      const LinkList links = graph.upper_links(index, level);
      for (uint32_t i = 0; i < links.size(); ++i) {
        if (links[i] >= graph.upper_size() || graph.upper_levels(links[i]) < level) return false;
      }
    }
  }
  return graph.entry_point() < graph.size();
}

}  // namespace quarry::testing
