// Builds the parts of query nodes in tests.
#pragma once

#include <string_view>
#include <vector>

#include "query/plan/plan.h"

namespace quarry::testing {

/// A query node with its header.
using NodeBytes = std::vector<uint8_t>;

inline NodeBytes raw_node(PlanOp op, const ByteWriter& payload) {
  ByteWriter out;
  out.put(op);
  out.put(uint16_t{0});
  out.put(static_cast<uint32_t>(payload.size()));
  out.put_bytes(payload.view());
  return out.take();
}

inline void put_scalar(ByteWriter& out, std::string_view text,
                       Scalar::Kind kind = Scalar::Kind::kString) {
  out.put(kind);
  out.put_string(text);
}
inline void put_nodes(ByteWriter& out, const std::vector<NodeBytes>& nodes) {
  out.put(static_cast<uint32_t>(nodes.size()));
  for (const NodeBytes& node : nodes) out.put_bytes(Bytes(node));
}
inline void put_options(ByteWriter& out, const MatchOptions& options) {
  out.put(uint8_t{options.operator_and});
  out.put_string(options.minimum_should_match);
  out.put_string(options.analyzer);
  out.put_string(options.fuzziness);
  out.put(options.prefix_length);
  out.put(options.max_expansions);
  out.put(uint8_t{options.transpositions});
  out.put(uint8_t{options.zero_terms_all});
  out.put(static_cast<uint8_t>((options.lenient ? 1 : 0) | (options.synonym_phrases ? 0 : 2)));
}

}  // namespace quarry::testing
