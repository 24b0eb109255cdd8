#include "query/cache/cross_shard_threshold.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "query/plan/query.h"

namespace quarry {
namespace {

/// Whether the coordinator reads the hits as one list, so that nothing depends on a shard's own
/// best hits, as rescoring and collapsing do.
bool one_list(const Plan& plan) {
  return plan.legs.size() == 1 && plan.rescores.empty() && plan.collapse_field.empty() &&
         plan.terminate_after == 0;
}

}  // namespace

bool sorts_by_score(const Plan& plan) {
  if (plan.sort.empty()) return true;
  if (plan.sort[0].field != "_score" || !plan.sort[0].descending) return false;
  if (plan.sort.size() == 1) return true;
  // Ties are in the order of documents anyway, so that later keys are columns and no order.
  return plan.sort[1].field == "_doc" && !plan.sort[1].descending && plan.search_after.empty();
}

void CrossShardThreshold::add(const Plan& plan, const ShardHits& hits) {
  if (!one_list(plan) || hits.legs.empty()) return;
  counted_ += hits.total;
  exceeded_ = exceeded_ || counted_ > plan.track_total_hits ||
              (counted_ == plan.track_total_hits && hits.total_is_lower_bound);
  if (!sorts_by_score(plan)) return;
  const LegHits& leg = hits.legs[0];
  const auto middle = static_cast<std::ptrdiff_t>(best_.size());
  if (plan.sort.empty()) {
    best_.insert(best_.end(), leg.scores.begin(), leg.scores.end());
  } else {
    for (const double score : leg.sort[0].doubles) best_.push_back(static_cast<float>(score));
  }
  std::inplace_merge(best_.begin(), best_.begin() + middle, best_.end(), std::greater<>());
  best_.resize(std::min<size_t>(best_.size(), plan.window));
}

float CrossShardThreshold::min_competitive_score(const Plan& plan) const {
  if (plan.window == 0 || best_.size() < plan.window) return kNoThreshold;
  return std::nextafter(best_.back(), kNoThreshold);
}

uint32_t CrossShardThreshold::track_total_hits(const Plan& plan) const {
  const uint32_t cap = plan.track_total_hits;
  if (cap == 0 || cap == kExactTotal || counted_ == 0) return cap;
  if (exceeded_) return 0;
  // With nothing left to count, one more hit still distinguishes "more than" from "exactly".
  return std::max<uint32_t>(1, cap - static_cast<uint32_t>(counted_));
}

}  // namespace quarry
