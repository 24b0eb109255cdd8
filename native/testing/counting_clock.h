// A clock for tests of work that has to stop: it stands still for so many looks, then the time is up.
#pragma once

#include <cstdint>
#include <limits>

#include "base/clock.h"

namespace quarry::testing {

/// One thread.
class CountingClock final : public Clock {
 public:
  static constexpr uint64_t kTimeoutUs = 1000;
  /// What has a timeout of kTimeoutUs is stopped at its look number `looks`, counted from its beginning.
  explicit CountingClock(uint64_t looks = std::numeric_limits<uint64_t>::max()) : left_(looks) {}

  int64_t wall_ms() const override { return 0; }
  int64_t steady_ns() const override {
    looks_++;
    // The first call is that of the beginning.
    if (looks_ > left_) return int64_t{2} * static_cast<int64_t>(kTimeoutUs) * 1000;
    return 0;
  }
  uint64_t looks() const { return looks_; }

 private:
  uint64_t left_;
  mutable uint64_t looks_ = 0;
};

}  // namespace quarry::testing
