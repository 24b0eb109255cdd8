// The processor time that a call may use before it gives up, so that its caller can run the same
// work on another thread.
#pragma once

#include <algorithm>
#include <cstdint>

#include "base/clock.h"

namespace quarry {

/// For one call on one thread; all StopChecks of the call share it. It begins with the first look.
/// On the steady clock the call may take kWaitFactor times as long, because waiting for a page
/// costs no processor time. The processor clock is a system call, so it is read seldom: the first
/// quarter of the budget is measured on the steady clock, and what is left then on the processor
/// clock.
class CallBudget {
 public:
  CallBudget(const Clock& clock, uint64_t budget_us)
      : clock_(clock), budget_ns_(static_cast<int64_t>(std::min(budget_us, kMaxBudgetUs) * 1000)) {}

  /// Whether the budget has ended by `now_ns` of the steady clock; stays true.
  bool ends_by(int64_t now_ns) {
    if (now_ns >= next_look_ns_ && !ended_) look(now_ns);
    return ended_;
  }
  /// For a piece of work of about `work_ns` that takes no look: true, and the budget ends, when it
  /// would not be done within the budget. What is left of it is not overestimated.
  bool ends_within(int64_t now_ns, int64_t work_ns) {
    if (ends_by(now_ns)) return true;
    const int64_t measured_ns =
        processor_end_ns_ == kUnset ? budget_ns_ - (now_ns - start_ns_) : next_look_ns_ - now_ns;
    ended_ = work_ns > measured_ns;
    return ended_;
  }
  /// For work that would take longer than any budget.
  void end() { ended_ = true; }
  /// The result of the last look. When true, nothing that the call found may be used or cached.
  bool ended() const { return ended_; }

  static constexpr int64_t kWaitFactor = 4;

 private:
  // Some hours; longer ones would not differ.
  static constexpr uint64_t kMaxBudgetUs = uint64_t{1} << 34;
  static constexpr int64_t kUnset = INT64_MIN;

  void look(int64_t now_ns) {
    const int64_t on_steady_clock = budget_ns_ / 4;
    if (wait_end_ns_ == kUnset) {
      start_ns_ = now_ns;
      wait_end_ns_ = now_ns + kWaitFactor * budget_ns_;
      next_look_ns_ = now_ns + on_steady_clock;
      return;
    }
    if (now_ns >= wait_end_ns_) {
      ended_ = true;
      return;
    }
    const int64_t used_ns = clock_.thread_processor_ns();
    if (processor_end_ns_ == kUnset) processor_end_ns_ = used_ns + budget_ns_ - on_steady_clock;
    const int64_t left_ns = processor_end_ns_ - used_ns;
    ended_ = left_ns <= 0;
    // A thread cannot use more processor time than passes.
    next_look_ns_ = std::min(wait_end_ns_, now_ns + std::max(left_ns, budget_ns_ / 16));
  }

  const Clock& clock_;
  const int64_t budget_ns_;
  int64_t start_ns_ = kUnset;  // this and the next two of the steady clock
  int64_t next_look_ns_ = kUnset;
  int64_t wait_end_ns_ = kUnset;
  int64_t processor_end_ns_ = kUnset;  // of the processor clock
  bool ended_ = false;
};

}  // namespace quarry
