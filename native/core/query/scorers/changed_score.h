// Base of function_score and script_score: the documents of one clause with other scores, and perhaps
// only those that score enough.
#pragma once

#include <memory>
#include <string>

#include "query/plan/query.h"

namespace quarry {

/// New scores of the documents of one segment.
class LeafScore {
 public:
  LeafScore() = default;
  LeafScore(const LeafScore&) = delete;
  LeafScore& operator=(const LeafScore&) = delete;
  virtual ~LeafScore() = default;
  /// Documents ascend. Whatever is wrong goes to the search's progress.
  virtual float score(uint32_t doc, float query_score) = 0;
};

/// What makes the new scores.
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

/// `min_score` NaN: none. `scores`: somebody reads them; if not, they are computed for min_score alone.
WeightPtr make_changed_score(WeightPtr query, std::unique_ptr<ScoreChange> change, float min_score,
                             bool scores, SearchProgress& progress);

}  // namespace quarry
