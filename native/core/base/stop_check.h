// When to stop: a deadline and a token that may be cancelled, polled while work is done.
#pragma once

#include <algorithm>
#include <cstdint>

#include "base/cancel_table.h"
#include "base/clock.h"
#include "base/status.h"

namespace quarry {

/// What one call of the engine may use. A member more is one more reason in StopCheck::look().
struct CallLimits {
  /// Whom CancelTable::cancel() ends; 0: nobody does.
  uint64_t cancel_token = 0;
  /// Microseconds of the steady clock; 0: none.
  uint64_t deadline_us = 0;
};

/// One call, one thread. Work polls it every few microseconds, also within a document: step() where it counts what it does,
/// expired() between larger pieces. What it has found stays, so that all levels of a search end one after the other.
class StopCheck {
 public:
  /// `timeout_us` counts from now; 0, or a null clock: no limit of time. `cancels` may be null.
  StopCheck(const Clock* clock, uint64_t timeout_us, const CancelTable* cancels = nullptr,
            CallLimits limits = {})
      : clock_(clock), cancels_(cancels), token_(cancels == nullptr ? 0 : limits.cancel_token) {
    if (clock == nullptr) return;
    if (timeout_us != 0 && timeout_us <= kMaxTimeout)
      limit_ns_ = clock->steady_ns() + static_cast<int64_t>(timeout_us * 1000);
    if (limits.deadline_us != 0 && limits.deadline_us <= kMaxDeadline) {
      const auto deadline_ns = static_cast<int64_t>(limits.deadline_us * 1000);
      limit_ns_ = limit_ns_ == 0 ? deadline_ns : std::min(limit_ns_, deadline_ns);
    }
  }

  /// Looks now: true once the work has to end; stays true.
  bool expired() {
    if (reason_ == Reason::kNone) look();
    return stopped();
  }
  /// Counts `steps` of work, each worth some nanoseconds (a position, a character, a clause asked about a document), and
  /// looks once for kStepsPerLook of them.
  bool step(uint32_t steps = 1) {
    if (steps < steps_left_) {
      steps_left_ -= steps;
      return stopped();
    }
    steps_left_ = kStepsPerLook;
    return expired();
  }
  /// What it found when somebody looked last: results are incomplete, and nothing keeps them.
  bool stopped() const { return reason_ != Reason::kNone; }
  bool timed_out() const { return reason_ == Reason::kTimeout; }
  /// Nobody waits for the answer.
  bool cancelled() const { return reason_ == Reason::kCancelled; }

  static constexpr uint32_t kStepsPerLook = 1024;

 private:
  enum class Reason : uint8_t { kNone, kTimeout, kCancelled };
  // Microseconds; beyond them nobody waits.
  static constexpr uint64_t kMaxTimeout = uint64_t{1} << 50;
  static constexpr uint64_t kMaxDeadline = uint64_t{1} << 53;

  void look() {
    if (token_ != 0 && cancels_->is_cancelled(token_)) {
      reason_ = Reason::kCancelled;
    } else if (limit_ns_ != 0 && clock_->steady_ns() >= limit_ns_) {
      reason_ = Reason::kTimeout;
    }
  }

  const Clock* clock_;
  const CancelTable* cancels_;
  uint64_t token_;
  int64_t limit_ns_ = 0;  // 0: no limit
  uint32_t steps_left_ = kStepsPerLook;
  Reason reason_ = Reason::kNone;
};

/// What answers a call that was cancelled.
inline Status client_gone() {
  return {ErrorType::kTaskCancelled, "the client closed the connection before its answer"};
}

}  // namespace quarry
