// Documents that match at least one of several clauses, a document at a time: sums (bool should)
// and maxima (dis_max). The block-at-a-time version for whole segments is in max_score.h.
#pragma once

#include <cstdint>
#include <vector>

#include "query/plan/query.h"

namespace quarry {

/// How the scores of the clauses that match a document are combined.
struct ScoreCombination {
  bool maximum = false;   // false: their sum, in the order of the clauses
  float tie_breaker = 0;  // for maximum: the factor of the other scores
};

/// At least one clause; `minimum_should_match` >= 1 of them must match. Clauses are confirmed as
/// soon as they are found.
ScorerPtr make_disjunction(std::vector<ScorerPtr> clauses, uint32_t minimum_should_match,
                           ScoreCombination combination, const Leaf& leaf);

/// The same where a clause runs a script: it is confirmed only for documents that the enclosing
/// clauses have.
ScorerPtr make_lazy_disjunction(std::vector<ScorerPtr> clauses, uint32_t minimum_should_match,
                                ScoreCombination combination, const Leaf& leaf);

/// float32 of max + tie_breaker * (sum of the others), computed in double.
float combine_maximum(double maximum, double sum, float tie_breaker) noexcept;

}  // namespace quarry
