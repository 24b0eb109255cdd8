// What keeps long work in check: a way to call it off, polled between its steps.
#pragma once

#include <atomic>

namespace quarry {

/// Of one job on one thread.
class LongWork {
 public:
  virtual ~LongWork() = default;
  /// True once the job should end; stays true. May hold the caller up for a while, to let others go first: nobody who is
  /// waited for may hold a lock over it.
  virtual bool called_off() = 0;
};

/// Of work that nobody restrains: null.
inline bool called_off(LongWork* work) { return work != nullptr && work->called_off(); }

/// A flag that somebody else sets, and no pauses.
class AbortFlag final : public LongWork {
 public:
  explicit AbortFlag(const std::atomic<bool>& flag) : flag_(flag) {}
  bool called_off() override { return flag_.load(std::memory_order_relaxed); }

 private:
  const std::atomic<bool>& flag_;
};

}  // namespace quarry
