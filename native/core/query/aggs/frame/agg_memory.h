// Memory accounting for the aggregations of one search: a budget, and arrays by bucket that charge
// it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/status.h"

namespace quarry {

inline constexpr uint64_t kMaxAggBytes = uint64_t{256} << 20;

/// Used by one search on one thread. Code that allocates charges the budget; the search checks it
/// after every batch.
class AggBudget {
 public:
  explicit AggBudget(uint64_t limit = kMaxAggBytes) : limit_(limit) {}
  void charge(uint64_t bytes) { used_ += bytes; }
  void release(uint64_t bytes) { used_ -= bytes; }
  bool exceeded() const { return used_ > limit_; }
  /// Whether `bytes` may be allocated; if not, the budget counts as exceeded and the search ends.
  bool has_room(uint64_t bytes) {
    if (used_ + bytes <= limit_) return true;
    used_ = limit_ + 1;
    return false;
  }
  Status status() const {
    if (!exceeded()) return {};
    return {ErrorType::kCircuitBreaking,
            "[request] Data too large: the aggregations of this search need more than [" +
                std::to_string(limit_) +
                "] bytes on one shard, ask for fewer buckets or filter the documents"};
  }

 private:
  uint64_t limit_;
  uint64_t used_ = 0;
};

/// One value per bucket; a bucket without an assigned value holds `T{}`.
template <typename T>
class BucketArray {
 public:
  explicit BucketArray(AggBudget& budget) : budget_(&budget) {}
  /// Makes room for all buckets below `count`.
  void reach(size_t count) {
    if (count <= values_.size()) return;
    const size_t before = values_.capacity();
    if (count > before) values_.reserve(count < 2 * before ? 2 * before : count);
    values_.resize(count);
    budget_->charge((values_.capacity() - before) * sizeof(T));
  }
  /// Lower bound of the bytes that reach(count) would allocate.
  uint64_t growth(size_t count) const {
    return count <= values_.capacity() ? 0 : (count - values_.capacity()) * sizeof(T);
  }
  T& operator[](size_t bucket) { return values_[bucket]; }
  const T& operator[](size_t bucket) const { return values_[bucket]; }
  size_t size() const { return values_.size(); }
  T* data() { return values_.data(); }
  /// The value of a bucket, also for buckets beyond reach().
  T get(size_t bucket) const { return bucket < values_.size() ? values_[bucket] : T{}; }

 private:
  AggBudget* budget_;
  std::vector<T> values_;
};

}  // namespace quarry
