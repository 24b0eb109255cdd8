// Clocks, passed to their users so that tests can control time.
#pragma once

#include <chrono>
#include <cstdint>

namespace quarry {

/// Wall clock and steady clock. Thread-safe.
class Clock {
 public:
  virtual ~Clock() = default;
  /// Milliseconds since the Unix epoch.
  virtual int64_t wall_ms() const = 0;
  /// Nanoseconds of a monotonic clock.
  virtual int64_t steady_ns() const = 0;
};

class SystemClock final : public Clock {
 public:
  int64_t wall_ms() const override {
    return std::chrono::duration_cast<std::chrono::milliseconds>(
               std::chrono::system_clock::now().time_since_epoch())
        .count();
  }
  int64_t steady_ns() const override {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(
               std::chrono::steady_clock::now().time_since_epoch())
        .count();
  }
};

}  // namespace quarry
