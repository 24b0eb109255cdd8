// Clocks, passed to their users so that tests can control time.
#pragma once

#include <chrono>
#include <cstdint>
#include <ctime>

namespace quarry {

/// Wall clock, steady clock and the processor clock of a thread. Thread-safe.
class Clock {
 public:
  virtual ~Clock() = default;
  /// Milliseconds since the Unix epoch.
  virtual int64_t wall_ms() const = 0;
  /// Nanoseconds of a monotonic clock.
  virtual int64_t steady_ns() const = 0;
  /// Nanoseconds of processor time that the calling thread has used. By default a thread never
  /// waits.
  virtual int64_t thread_processor_ns() const { return steady_ns(); }
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
  int64_t thread_processor_ns() const override {
    timespec used{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
    return int64_t{1000000000} * used.tv_sec + used.tv_nsec;
  }
};

}  // namespace quarry
