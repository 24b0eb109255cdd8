// Base of function_score and script_score: matches the documents of one clause with other scores,
// and optionally only those that reach a minimum score.
#pragma once

#include <memory>
#include <string>

#include "query/plan/query.h"

namespace quarry {

/// Computes the new scores of the documents of one segment.
class LeafScore {
 public:
  LeafScore() = default;
  LeafScore(const LeafScore&) = delete;
  LeafScore& operator=(const LeafScore&) = delete;
  virtual ~LeafScore() = default;
  /// Documents ascend. Errors are reported to the search's progress.
  virtual float score(uint32_t doc, float query_score) = 0;
};

/// Creates the new scores of a clause.
class ScoreChange {
 public:
  ScoreChange() = default;
  ScoreChange(const ScoreChange&) = delete;
  ScoreChange& operator=(const ScoreChange&) = delete;
  virtual ~ScoreChange() = default;
  virtual std::unique_ptr<LeafScore> bind(const Leaf& leaf, uint64_t lead_cost) = 0;
  virtual Explanation explain(const Leaf& leaf, uint32_t doc, Explanation query) = 0;
  virtual std::string describe(const std::string& query) const = 0;
};

/// `min_score` NaN: none. `scores`: whether the scores are read; if not, they are computed for
/// `min_score` only.
WeightPtr make_changed_score(WeightPtr query, std::unique_ptr<ScoreChange> change, float min_score,
                             bool scores, SearchProgress& progress);

}  // namespace quarry
