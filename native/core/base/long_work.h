// Control of long work: it polls between its steps whether it has been called off.
#pragma once

#include <atomic>

namespace quarry {

/// For one job on one thread.
class LongWork {
 public:
  virtual ~LongWork() = default;
  /// True once the job should end; stays true. May block for a while to yield to other threads, so
  /// the caller must not hold a lock that they need.
  virtual bool called_off() = 0;
};

/// Null stands for work that is never called off.
inline bool called_off(LongWork* work) { return work != nullptr && work->called_off(); }

/// Calls work off by a flag that another thread sets; never blocks.
class AbortFlag final : public LongWork {
 public:
  explicit AbortFlag(const std::atomic<bool>& flag) : flag_(flag) {}
  bool called_off() override { return flag_.load(std::memory_order_relaxed); }

 private:
  const std::atomic<bool>& flag_;
};

}  // namespace quarry
