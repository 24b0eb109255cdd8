// The order of the buckets of a terms aggregation: counts, keys, and metrics below it.
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

  /// No orders: by count, descending. illegal_argument_exception for paths that end at no metric.
  static Result<TermsOrder> make(const AggHead& head, std::vector<AggOrder> orders,
                                 const AggChildren& children);

  /// Best first; ties by key, ascending. Only the first `keep` have to be in order.
  void sort(std::span<uint32_t> group, size_t keep, const Buckets& buckets) const;
  /// By descending count first: buckets that were cut count no more than the last one kept.
  bool by_count() const {
    return orders_[0].order.by == OrderBy::kCount && orders_[0].order.descending;
  }
  /// And then by key: what the order of buckets without any asked for is.
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
