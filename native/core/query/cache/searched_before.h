// What the shards of an index that one task has searched already leave to be found in the next: a
// threshold that its hits have to reach, and how far they still have to be counted.
#pragma once

#include <cstdint>
#include <vector>

#include "query/plan/hits.h"
#include "query/plan/plan.h"
#include "query/plan/search.h"

namespace quarry {

/// Hits ordered by score alone, best first.
bool sorts_by_score(const Plan& plan);

/// Of one plan. What it spares never shows: documents that score as much as the last hit of the
/// page are kept, because ties go to the earlier document of any shard, and totals are those of
/// shards that counted alone, capped.
class SearchedBefore {
 public:
  /// The reply of one more shard, all of which will be merged.
  void add(const Plan& plan, const ShardHits& hits);
  /// Documents of the next shard that do not score above it cannot be shown; kNoThreshold: all can.
  float least(const Plan& plan) const;
  /// track_total_hits of the next shard.
  uint32_t track_total_hits(const Plan& plan) const;

 private:
  std::vector<float> best_;  // the best scores of all, descending, as many as the plan's window
  uint64_t counted_ = 0;
  bool exceeded_ = false;  // there are more hits than anybody wants counted
};

/// execute_search() of the next shard.
Result<ShardHits> search_next(const SearchContext& context, const Plan& plan,
                              const SearchedBefore& before);

}  // namespace quarry
