// Which calls of the engine nobody waits for any more: a table of tokens, written by the thread that knows of the clients
// and polled by the threads that work for them.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace quarry {

/// Thread-safe, without locks. A token that shares its slot with a later one that is cancelled as well is forgotten: its
/// work goes on to its end, which costs time and no answer. Tokens that count upwards share none within kSlots of them.
class CancelTable {
 public:
  static constexpr size_t kSlots = 4096;

  /// `token` 0 names no call.
  void cancel(uint64_t token) { slot(token).store(token, std::memory_order_relaxed); }
  bool is_cancelled(uint64_t token) const {
    return slots_[token % kSlots].load(std::memory_order_relaxed) == token;
  }

 private:
  std::atomic<uint64_t>& slot(uint64_t token) { return slots_[token % kSlots]; }

  std::array<std::atomic<uint64_t>, kSlots> slots_{};
};

}  // namespace quarry
