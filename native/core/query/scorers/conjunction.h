// Documents that match all of several clauses: gallop from the rarest, confirm two-phase clauses
// last, skip blocks that cannot score above the threshold.
#pragma once

#include <vector>

#include "query/plan/query.h"

namespace quarry {

/// `scoring` clauses add their scores in the given order (in double, then to float32); `filters`
/// only match. At least one clause in all.
ScorerPtr make_conjunction(std::vector<ScorerPtr> scoring, std::vector<ScorerPtr> filters,
                           const Leaf& leaf);

}  // namespace quarry
