// Stop conditions of a call: a deadline, a budget and a token that can be cancelled, polled during
// work.
#pragma once

#include <algorithm>
#include <cstdint>

#include "base/call_budget.h"
#include "base/cancel_table.h"
#include "base/clock.h"
#include "base/status.h"

namespace quarry {

/// The limits of one engine call. A new member needs a new reason in StopCheck::look().
struct CallLimits {
  /// The token for CancelTable::cancel(); 0: the call cannot be cancelled.
  uint64_t cancel_token = 0;
  /// Microseconds of the steady clock; 0: none.
  uint64_t deadline_us = 0;
  /// Microseconds of processor time (CallBudget), of calls that may give up: Engine::search() and
  /// fetch(); 0: none.
  uint64_t budget_us = 0;
};

/// For one call on one thread. Work polls it every few microseconds, also within a document: step()
/// where it counts its steps, expired() between larger pieces. The result is kept, so that all
/// levels of a search end.
class StopCheck {
 public:
  /// `timeout_us` counts from now; 0, or a null clock: no time limit. `cancels` may be null.
  /// `budget` is that of the call, which owns it; null: none.
  StopCheck(const Clock* clock, uint64_t timeout_us, const CancelTable* cancels = nullptr,
            CallLimits limits = {}, CallBudget* budget = nullptr)
      : clock_(clock),
        cancels_(cancels),
        token_(cancels == nullptr ? 0 : limits.cancel_token),
        budget_(clock == nullptr ? nullptr : budget) {
    if (clock == nullptr) return;
    if (timeout_us != 0 && timeout_us <= kMaxTimeout)
      limit_ns_ = clock->steady_ns() + static_cast<int64_t>(timeout_us * 1000);
    if (limits.deadline_us != 0 && limits.deadline_us <= kMaxDeadline) {
      const auto deadline_ns = static_cast<int64_t>(limits.deadline_us * 1000);
      limit_ns_ = limit_ns_ == 0 ? deadline_ns : std::min(limit_ns_, deadline_ns);
    }
  }

  /// Checks the stop conditions now. True once the work has to end; stays true.
  bool expired() {
    if (reason_ == Reason::kNone) look();
    return stopped();
  }
  /// Counts `steps` of work, each of some nanoseconds (a position, a character, a clause evaluated
  /// for a document), and checks the stop conditions once per kStepsPerLook steps.
  bool step(uint32_t steps = 1) {
    if (steps < steps_left_) {
      steps_left_ -= steps;
      return stopped();
    }
    steps_left_ = kStepsPerLook;
    return expired();
  }
  /// For a piece of work of about `nanos` that cannot be interrupted: true when the budget would
  /// end before it is done. No other condition is checked, so that an answer whose time is up is
  /// still made.
  bool out_of_budget_within(uint64_t nanos) {
    if (budget_ != nullptr && reason_ == Reason::kNone &&
        budget_->ends_within(clock_->steady_ns(), static_cast<int64_t>(nanos)))
      reason_ = Reason::kBudget;
    return out_of_budget();
  }
  /// The result of the last check. When true, results are incomplete and must not be cached.
  bool stopped() const { return reason_ != Reason::kNone; }
  bool timed_out() const { return reason_ == Reason::kTimeout; }
  /// True when no client waits for the response.
  bool cancelled() const { return reason_ == Reason::kCancelled; }
  /// True when the work is given up here and is to be done again elsewhere.
  bool out_of_budget() const { return reason_ == Reason::kBudget; }

  static constexpr uint32_t kStepsPerLook = 1024;

 private:
  enum class Reason : uint8_t { kNone, kTimeout, kCancelled, kBudget };
  // Microseconds. Larger values count as no limit.
  static constexpr uint64_t kMaxTimeout = uint64_t{1} << 50;
  static constexpr uint64_t kMaxDeadline = uint64_t{1} << 53;

  void look() {
    if (token_ != 0 && cancels_->is_cancelled(token_)) {
      reason_ = Reason::kCancelled;
    } else if (limit_ns_ != 0 || budget_ != nullptr) {
      look_at_clock(clock_->steady_ns());
    }
  }
  void look_at_clock(int64_t now_ns) {
    if (budget_ != nullptr && budget_->ends_by(now_ns)) {
      reason_ = Reason::kBudget;
    } else if (limit_ns_ != 0 && now_ns >= limit_ns_) {
      reason_ = Reason::kTimeout;
    }
  }

  const Clock* clock_;
  const CancelTable* cancels_;
  uint64_t token_;
  CallBudget* budget_;
  int64_t limit_ns_ = 0;  // 0: no limit
  uint32_t steps_left_ = kStepsPerLook;
  Reason reason_ = Reason::kNone;
};

/// The error of a cancelled call.
inline Status client_gone() {
  return {ErrorType::kTaskCancelled, "the client closed the connection before its answer"};
}

/// The error of a call whose budget ended; it does not leave the engine, whose reply is none.
inline Status budget_ended() {
  return {ErrorType::kTaskCancelled, "the budget of the call ended before its answer"};
}

}  // namespace quarry
