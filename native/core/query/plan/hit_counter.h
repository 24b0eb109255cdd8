// Counts hits up to the limit that the request sets (track_total_hits).
#pragma once

#include <algorithm>
#include <cstdint>

#include "query/plan/plan.h"

namespace quarry {

/// Counts up to a cap. Once the count exceeds it, documents that cannot be shown may be skipped.
class HitCounter {
 public:
  /// `cap`: 0: nothing is counted; kExactTotal: everything; else the count where counting stops.
  explicit HitCounter(uint32_t cap) : cap_(cap) {}

  /// True while every hit of the current segment has to be visited to be counted.
  bool counting() const { return !leaf_known_ && wanted(); }
  bool wanted() const { return cap_ != 0 && (cap_ == kExactTotal || count_ <= cap_); }
  /// The maximum number of further hits that are counted.
  uint64_t left() const {
    if (!wanted()) return 0;
    return cap_ == kExactTotal ? UINT64_MAX : cap_ - count_ + 1;
  }
  /// `known` >= 0: the number of hits of the segment, which are then not counted one by one.
  void start_leaf(int64_t known) {
    leaf_known_ = known >= 0;
    if (leaf_known_) count_ += static_cast<uint64_t>(known);
  }
  void add() {
    if (!leaf_known_) count_++;
  }

  uint64_t total() const {
    return cap_ == kExactTotal || cap_ == 0 ? count_ : std::min<uint64_t>(count_, cap_);
  }
  bool lower_bound() const { return cap_ == 0 || (cap_ != kExactTotal && count_ > cap_); }

 private:
  uint32_t cap_;
  uint64_t count_ = 0;
  bool leaf_known_ = false;
};

}  // namespace quarry
