// A clock for tests of work that has to stop: it stands still for N readings, then the time has
// elapsed.
#pragma once

#include <cstdint>
#include <limits>

#include "base/clock.h"

namespace quarry::testing {

/// Not thread-safe.
class CountingClock final : public Clock {
 public:
  static constexpr uint64_t kTimeoutUs = 1000;
  /// Work with a timeout of kTimeoutUs stops at its reading number `looks`, counted from its start.
  explicit CountingClock(uint64_t looks = std::numeric_limits<uint64_t>::max()) : left_(looks) {}

  int64_t wall_ms() const override { return 0; }
  int64_t steady_ns() const override {
    looks_++;
    // The first reading is that of the start.
    if (looks_ > left_) return int64_t{2} * static_cast<int64_t>(kTimeoutUs) * 1000;
    return 0;
  }
  uint64_t looks() const { return looks_; }

 private:
  uint64_t left_;
  mutable uint64_t looks_ = 0;
};

}  // namespace quarry::testing
