// The cancelled calls of the engine: a table of call tokens, written by the thread that observes
// the client connections and polled by the threads that execute the calls.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace quarry {

/// Thread-safe, lock-free. A cancelled token is lost when a later token in the same slot is
/// cancelled, too: its call then runs to its end, which costs time but gives no wrong result.
/// Consecutive tokens share no slot within kSlots of them.
class CancelTable {
 public:
  static constexpr size_t kSlots = 4096;

  /// `token` 0 means that a call cannot be cancelled.
  void cancel(uint64_t token) { slot(token).store(token, std::memory_order_relaxed); }
  bool is_cancelled(uint64_t token) const {
    return slots_[token % kSlots].load(std::memory_order_relaxed) == token;
  }

 private:
  std::atomic<uint64_t>& slot(uint64_t token) { return slots_[token % kSlots]; }

  std::array<std::atomic<uint64_t>, kSlots> slots_{};
};

}  // namespace quarry
