// Second opinions on hits: the scores that the rescore queries of a plan give them. Who merges the
// shards decides which of the hits they count for.
#pragma once

#include <vector>

#include "query/plan/compiler.h"
#include "query/plan/hits.h"

namespace quarry {

/// Adds a column for each query to `leg`: its score of the hit, null where it does not match. Once `stop` says so all
/// columns are null: some hits scored twice and others once would make an order of neither.
Status add_rescores(Compiler& compiler, const std::vector<Leaf>& leaves,
                    const std::vector<PlanNode>& queries, StopCheck& stop, LegHits& leg);

}  // namespace quarry
