// Makes every node of a finished graph reachable on layer 0 from the entry point: pruning can cut
// the last link to a node, above all among equal vectors.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "vector/hnsw/hnsw_growing.h"

namespace quarry {

/// For a finished graph. `nearest`: nodes near a given one, best first.
void link_unreachable(GrowingGraph& graph,
                      const std::function<const std::vector<RankedNode>&(uint32_t)>& nearest);

}  // namespace quarry
