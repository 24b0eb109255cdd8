// Top-level disjunctions a window of documents at a time: MAXSCORE (Turtle and Flood 1995) with
// bounds per window.
#pragma once

#include <memory>
#include <vector>

#include "query/plan/query.h"

namespace quarry {

/// Large and cleared again by those who use it: shared by the segments of a search, made by the
/// first.
using ScoreWindowPtr = std::unique_ptr<ScoreWindow>;

/// `clauses` in the order their scores are summed, which should be that of descending bounds;
/// `filters` all must match, `excluded` none may. At least one clause.
std::unique_ptr<BulkScorer> make_max_score(const Leaf& leaf, std::vector<ScorerPtr> clauses,
                                           uint32_t minimum_should_match,
                                           std::vector<ScorerPtr> filters,
                                           std::vector<ScorerPtr> excluded,
                                           ScoreWindowPtr& window);

}  // namespace quarry
