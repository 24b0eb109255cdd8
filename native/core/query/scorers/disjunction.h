// Documents that match at least one of several clauses, document at a time: sums (bool should) and
// maxima (dis_max). The block-at-a-time version for whole segments is in max_score.h.
#pragma once

#include <cstdint>
#include <vector>

#include "query/plan/query.h"

namespace quarry {

/// How the scores of the clauses that match a document become one.
struct ScoreCombination {
  bool maximum = false;   // false: their sum, in the order of the clauses
  float tie_breaker = 0;  // maximum: what the others contribute
};

/// At least one clause; `minimum_should_match` >= 1 clauses must match. Clauses are confirmed as
/// they are found.
ScorerPtr make_disjunction(std::vector<ScorerPtr> clauses, uint32_t minimum_should_match,
                           ScoreCombination combination, const Leaf& leaf);

/// float32 of max + tie_breaker * (rest), in double.
float combine_maximum(double maximum, double sum, float tie_breaker) noexcept;

}  // namespace quarry
