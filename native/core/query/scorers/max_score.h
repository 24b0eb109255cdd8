// Top-level disjunctions, a window of documents at a time: MAXSCORE (Turtle and Flood 1995) with
// bounds per window.
#pragma once

#include <memory>
#include <vector>

#include "query/plan/query.h"

namespace quarry {

/// Large, and left cleared after each use: the first segment of a search creates it and all
/// segments share it.
using ScoreWindowPtr = std::unique_ptr<ScoreWindow>;

/// The scores of `clauses` are summed in the given order, which should be that of descending
/// bounds. All `filters` and none of `excluded` must match. At least one clause.
std::unique_ptr<BulkScorer> make_max_score(const Leaf& leaf, std::vector<ScorerPtr> clauses,
                                           uint32_t minimum_should_match,
                                           std::vector<ScorerPtr> filters,
                                           std::vector<ScorerPtr> excluded, ScoreWindowPtr& window);

}  // namespace quarry
