// Starts a graph from one that exists: its links among the rows that are still there, and around
// those that are gone.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/long_work.h"
#include "vector/hnsw/hnsw_growing.h"

namespace quarry {

/// The levels that the kept nodes had, written over those drawn for their new ordinals.
void keep_levels(const HnswGraph& kept, std::span<const uint32_t> ordinals,
                 std::vector<uint8_t>& levels);

/// `ordinals`: by node of `kept`, its node in `graph` or GrowingGraph::kNone. A node whose
/// neighbours went gets theirs to choose from. Returns, by node of `graph`, whether it is linked
/// now: the others are to be inserted. Stops early, with a result of no use, once `abort` (may be
/// null) is true.
std::vector<bool> take_over(const HnswGraph& kept, std::span<const uint32_t> ordinals,
                            const PairScorer& pairs, GrowingGraph& graph,
                            LongWork* work);

}  // namespace quarry
