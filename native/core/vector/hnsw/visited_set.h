// Which nodes a walk has seen: one bit each, cleared before every walk (8 KB per 64,000 nodes stay
// in the first cache).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace quarry {

class VisitedSet {
 public:
  /// Allocates only when `size` is larger than ever before.
  void reset(uint32_t size) { words_.assign((size_t{size} + 63) / 64, 0); }
  bool test(uint32_t node) const noexcept { return ((words_[node >> 6] >> (node & 63)) & 1) != 0; }
  void set(uint32_t node) noexcept { words_[node >> 6] |= uint64_t{1} << (node & 63); }
  /// Adds `count` nodes, which are numbers of 32 bits anywhere, and writes those that were not in to
  /// `out`; returns how many. `out` has room for all of them.
  uint32_t add_all(const uint8_t* nodes, uint32_t count, uint32_t* out) noexcept;

 private:
  std::vector<uint64_t> words_;
};

}  // namespace quarry
