// How many of some documents of a segment are live, kept for as long as nothing more is deleted.
#pragma once

#include <atomic>
#include <cstdint>
#include <limits>

#include "query/plan/query.h"

namespace quarry {

/// Of documents of one segment that stay the same. Thread-safe.
class LiveCount {
 public:
  /// What is known, or what `count` finds, which is kept. No statistics of the index know what deletions leave, and to
  /// count many documents again for every search would take as long as to score them. `dear`: `count` is called only
  /// when nothing was deleted since the last call. -1: it was not called.
  template <typename Count>
  int64_t get(const Leaf& leaf, bool dear, Count count) const {
    // Deletions of a segment only grow, so the number of its live documents tells which of them a count has seen.
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
  static constexpr uint32_t kNotCounted = std::numeric_limits<uint32_t>::max();  // no number of documents

  void keep(const Leaf& leaf, uint32_t count) const {
    kept_.store(uint64_t{leaf.live_count} << 32 | count, std::memory_order_relaxed);
  }

  /// Live documents of the segment in the upper half, of those counted in the lower.
  mutable std::atomic<uint64_t> kept_{std::numeric_limits<uint64_t>::max()};
};

}  // namespace quarry
