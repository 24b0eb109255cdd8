// The order of the buckets of a terms aggregation: by counts, keys, or metrics of its children.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "query/aggs/frame/aggregator.h"

namespace quarry {

class TermsOrder {
 public:
  /// Compares buckets: keys by `compare_keys`, counts by `count`.
  struct Buckets {
    virtual ~Buckets() = default;
    virtual int compare_keys(uint32_t a, uint32_t b) const = 0;
    virtual uint64_t count(uint32_t bucket) const = 0;
  };

  /// Without orders: by count, descending. illegal_argument_exception for paths that do not end at
  /// a metric.
  static Result<TermsOrder> make(const AggHead& head, std::vector<AggOrder> orders,
                                 const AggChildren& children);

  /// Best first; ties by key, ascending. Only the first `keep` are sorted.
  void sort(std::span<uint32_t> group, size_t keep, const Buckets& buckets) const;
  /// The first order is by descending count: a cut bucket counts at most as much as the last kept
  /// one.
  bool by_count() const {
    return orders_[0].order.by == OrderBy::kCount && orders_[0].order.descending;
  }
  /// Only by descending count and then by ascending key, which is the default order.
  bool by_count_alone() const {
    if (!by_count() || orders_.size() > 2) return false;
    return orders_.size() == 1 ||
           (orders_[1].order.by == OrderBy::kKey && !orders_[1].order.descending);
  }

 private:
  struct Step {
    AggOrder order;
    const Aggregator* metric = nullptr;
  };
  static Result<const Aggregator*> find_metric(const AggHead& head, const AggOrder& order,
                                               const AggChildren& children);

  std::vector<Step> orders_;
};

}  // namespace quarry
