// Resolves order paths, reads metrics once per bucket and sorts buckets.
#include "query/aggs/terms/terms_order.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace quarry {
namespace {

int compare_numbers(double a, double b, bool descending) {
  // NaN sorts last in both directions.
  if (std::isnan(a) || std::isnan(b)) return static_cast<int>(std::isnan(a)) - std::isnan(b);
  const int order = a < b ? -1 : a > b ? 1 : 0;
  return descending ? -order : order;
}

}  // namespace

Result<const Aggregator*> TermsOrder::find_metric(const AggHead& head, const AggOrder& order,
                                                  const AggChildren& children) {
  const Aggregator* at = nullptr;
  for (size_t i = 0; i < order.path.size(); i++) {
    const uint32_t index = order.path[i];
    if (i > 0 && !at->is_single_bucket()) {
      return Status(ErrorType::kIllegalArgument,
                    "Invalid aggregation order path in [" + head.name +
                        "]: buckets can only be sorted on a sub-aggregator path that is built out "
                        "of zero or more single-bucket aggregations within the path and a final "
                        "single-bucket or a metrics aggregation at the path end");
    }
    at = i == 0 ? (index < children.size() ? children.at(index) : nullptr) : at->order_child(index);
    if (at == nullptr) break;
  }
  if (at == nullptr) {
    return Status(ErrorType::kIllegalArgument, "Invalid aggregation order path in [" + head.name +
                                                   "]: it names no sub-aggregation");
  }
  QUARRY_RETURN_IF_ERROR(at->check_order(order));
  return at;
}

Result<TermsOrder> TermsOrder::make(const AggHead& head, std::vector<AggOrder> orders,
                                    const AggChildren& children) {
  TermsOrder out;
  if (orders.empty()) orders.emplace_back();
  for (AggOrder& order : orders) {
    Step step;
    if (order.by == OrderBy::kMetric) {
      QUARRY_ASSIGN_OR_RETURN(step.metric, find_metric(head, order, children));
    }
    step.order = std::move(order);
    out.orders_.push_back(std::move(step));
  }
  return out;
}

void TermsOrder::sort(std::span<uint32_t> group, size_t keep, const Buckets& buckets) const {
  // Metrics are read once per bucket; indexed by order, then by position in the group.
  std::vector<std::vector<double>> metrics(orders_.size());
  for (size_t i = 0; i < orders_.size(); i++) {
    if (orders_[i].metric == nullptr) continue;
    for (const uint32_t bucket : group)
      metrics[i].push_back(orders_[i].metric->order_value(bucket, orders_[i].order));
  }
  const auto before = [&](uint32_t a, uint32_t b) {
    for (size_t i = 0; i < orders_.size(); i++) {
      const AggOrder& order = orders_[i].order;
      int result = 0;
      if (order.by == OrderBy::kMetric) {
        result = compare_numbers(metrics[i][a], metrics[i][b], order.descending);
      } else if (order.by == OrderBy::kKey) {
        result = buckets.compare_keys(group[a], group[b]);
        if (order.descending) result = -result;
      } else {
        const uint64_t left = buckets.count(group[a]);
        const uint64_t right = buckets.count(group[b]);
        result = left < right ? -1 : left > right ? 1 : 0;
        if (order.descending) result = -result;
      }
      if (result != 0) return result < 0;
    }
    return buckets.compare_keys(group[a], group[b]) < 0;
  };
  std::vector<uint32_t> positions(group.size());
  std::iota(positions.begin(), positions.end(), 0U);
  const auto middle =
      positions.begin() + static_cast<std::ptrdiff_t>(std::min(keep, positions.size()));
  std::partial_sort(positions.begin(), middle, positions.end(), before);
  std::vector<uint32_t> sorted;
  sorted.reserve(group.size());
  for (const uint32_t position : positions) sorted.push_back(group[position]);
  std::copy(sorted.begin(), sorted.end(), group.begin());
}

}  // namespace quarry
