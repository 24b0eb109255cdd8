// Documents that match all of several clauses: gallops from the rarest clause, confirms two-phase
// clauses last and skips blocks that cannot score above the threshold.
#pragma once

#include <vector>

#include "query/plan/query.h"

namespace quarry {

/// The scores of the `scoring` clauses are added in the given order (in double, then to float32);
/// `filters` only match. At least one clause in all.
ScorerPtr make_conjunction(std::vector<ScorerPtr> scoring, std::vector<ScorerPtr> filters,
                           const Leaf& leaf);

}  // namespace quarry
