// Carries over from the shards of an index that a task has already searched to the next one: a
// threshold that its hits have to reach, and how many of them still have to be counted.
#pragma once

#include <cstdint>
#include <vector>

#include "query/plan/hits.h"
#include "query/plan/plan.h"
#include "query/plan/search.h"

namespace quarry {

/// True if hits are ordered by score, best first, and those of one score by their place.
bool sorts_by_score(const Plan& plan);

/// One per plan. The savings do not change the response: documents with the same score as the last
/// hit of the page are kept, because ties go to the earlier document of any shard, and totals are
/// as if the shards had been counted separately, up to the cap.
class CrossShardThreshold {
 public:
  /// Adds the reply of one more shard; all added replies will be merged.
  void add(const Plan& plan, const ShardHits& hits);
  /// Documents of the next shard that do not score above it cannot be shown; kNoThreshold: all can.
  float min_competitive_score(const Plan& plan) const;
  /// The value of track_total_hits for the next shard.
  uint32_t track_total_hits(const Plan& plan) const;

 private:
  std::vector<float> best_;  // the best scores of all shards, descending, at most the plan's window
  uint64_t counted_ = 0;
  bool exceeded_ = false;  // there are more hits than track_total_hits counts
};

/// Runs execute_search() on the next shard.
Result<ShardHits> search_next(const SearchContext& context, const Plan& plan,
                              const CrossShardThreshold& before);

}  // namespace quarry
