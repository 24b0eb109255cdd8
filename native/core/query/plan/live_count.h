// Caches how many documents of a fixed set in a segment are live, until a deletion invalidates it.
#pragma once

#include <atomic>
#include <cstdint>
#include <limits>

#include "query/plan/query.h"

namespace quarry {

/// The number of live documents among a fixed set of documents of one segment. Thread-safe.
class LiveCount {
 public:
  /// The cached number, or the result of `count`, which is then cached. The statistics of the index
  /// do not reflect deletions, and counting many documents in every search would take as long as
  /// scoring them. `dear`: `count` is called only if nothing was deleted since the last call.
  /// Returns -1 if it was not called.
  template <typename Count>
  int64_t get(const Leaf& leaf, bool dear, Count count) const {
    // Deletions only accumulate, so the segment's live count identifies the deletions that a count
    // saw.
    const uint64_t known = kept_.load(std::memory_order_relaxed);
    const bool current = known >> 32 == leaf.live_count;
    const auto counted = static_cast<uint32_t>(known);
    if (current && counted != kNotCounted) return counted;
    if (dear && !current) {
      keep(leaf, kNotCounted);
      return -1;
    }
    const auto found = static_cast<uint32_t>(count());
    keep(leaf, found);
    return found;
  }

 private:
  // Larger than any number of documents.
  static constexpr uint32_t kNotCounted = std::numeric_limits<uint32_t>::max();

  void keep(const Leaf& leaf, uint32_t count) const {
    kept_.store(uint64_t{leaf.live_count} << 32 | count, std::memory_order_relaxed);
  }

  /// Upper half: live documents of the segment; lower half: the cached count.
  mutable std::atomic<uint64_t> kept_{std::numeric_limits<uint64_t>::max()};
};

}  // namespace quarry
