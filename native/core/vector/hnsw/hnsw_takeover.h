// Starts a graph from an existing one: keeps its links among the remaining rows and reconnects the
// nodes around deleted rows.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/long_work.h"
#include "vector/hnsw/hnsw_growing.h"

namespace quarry {

/// Sets the levels of the kept nodes, replacing those drawn for their new ordinals.
void keep_levels(const HnswGraph& kept, std::span<const uint32_t> ordinals,
                 std::vector<uint8_t>& levels);

/// `ordinals` maps each node of `kept` to its node in `graph` or GrowingGraph::kNone. A node that
/// linked to deleted nodes selects from the links of these. Returns, by node of `graph`, whether it
/// is linked; the others must be inserted. Once `work` (may be null) is cancelled, it stops early
/// and the result must not be used.
std::vector<bool> take_over(const HnswGraph& kept, std::span<const uint32_t> ordinals,
                            const PairScorer& pairs, GrowingGraph& graph, LongWork* work);

}  // namespace quarry
