// Builds highlight nodes of plans in tests.
#pragma once

#include <string>
#include <vector>

#include "query/highlight/highlight_plan.h"
#include "testing/node_bytes.h"

namespace quarry::testing {

struct HighlightedField {
  std::string pattern;
  uint8_t flags = 0;
  uint32_t fragment_size = 100;
  uint32_t fragments = 5;
  uint32_t no_match_size = 0;
  FragmentScanner scanner = FragmentScanner::kSentence;
  uint32_t max_analyzed_offset = 0;
  std::vector<std::string> matched_fields = {};
  NodeBytes query = {};
};

inline NodeBytes highlight_node(const std::vector<HighlightedField>& fields,
                                uint32_t index_limit = 1000000) {
  ByteWriter out;
  out.put(index_limit);
  out.put(uint32_t{0});
  out.put(static_cast<uint32_t>(fields.size()));
  for (const HighlightedField& field : fields) {
    out.put_string(field.pattern);
    out.put(field.flags);
    out.put(field.fragment_size);
    out.put(field.fragments);
    out.put(field.no_match_size);
    out.put(static_cast<uint8_t>(field.scanner));
    out.put_string(".,!? \t\n");
    out.put(uint32_t{20});
    out.put(field.max_analyzed_offset);
    out.put(uint32_t{0});
    out.put_string("[");
    out.put_string("]");
    out.put(static_cast<uint32_t>(field.matched_fields.size()));
    for (const std::string& name : field.matched_fields) out.put_string(name);
    out.put(uint8_t{!field.query.empty()});
    out.put_bytes(Bytes(field.query));
  }
  return raw_node(PlanOp::kHighlight, out);
}

}  // namespace quarry::testing
