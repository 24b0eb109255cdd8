// Makes every node of a finished graph reachable from the entry point on layer 0. Pruning can
// remove the last link to a node, especially among equal vectors.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "vector/hnsw/hnsw_growing.h"

namespace quarry {

/// The graph must be finished. `nearest` returns nodes near a given node, best first.
void link_unreachable(GrowingGraph& graph,
                      const std::function<const std::vector<RankedNode>&(uint32_t)>& nearest);

}  // namespace quarry
