// Computes the scores that the rescore queries of a plan give to the hits. The coordinator, which
// merges the shards, decides which of the hits they apply to.
#pragma once

#include <vector>

#include "query/plan/compiler.h"
#include "query/plan/hits.h"

namespace quarry {

/// Adds a column for each query to `leg`: its score of the hit, null where it does not match. If
/// `stop` expires, all columns are null, because a mix of rescored and other hits has no meaningful
/// order.
Status add_rescores(Compiler& compiler, const std::vector<Leaf>& leaves,
                    const std::vector<PlanNode>& queries, StopCheck& stop, LegHits& leg);

}  // namespace quarry
