// When to stop: a deadline, polled every few hundred documents or hops.
#pragma once

#include <cstdint>

#include "base/clock.h"

namespace quarry {

/// One search, one thread.
class StopCheck {
 public:
  /// `timeout_us` counts from now; 0, or a null clock: no limit.
  StopCheck(const Clock* clock, uint64_t timeout_us) : clock_(clock) {
    constexpr uint64_t kMaxTimeout = uint64_t{1} << 50;  // microseconds; beyond it nobody waits
    if (clock == nullptr || timeout_us == 0 || timeout_us > kMaxTimeout) return;
    limit_ns_ = clock->steady_ns() + static_cast<int64_t>(timeout_us * 1000);
  }

  /// True once the time is up; stays true.
  bool expired() {
    if (limit_ns_ != 0 && !timed_out_) timed_out_ = clock_->steady_ns() >= limit_ns_;
    return timed_out_;
  }
  bool timed_out() const { return timed_out_; }

 private:
  const Clock* clock_;
  int64_t limit_ns_ = 0;  // 0: no limit
  bool timed_out_ = false;
};

}  // namespace quarry
