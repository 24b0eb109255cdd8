// The set of nodes that a walk has visited: one bit each, cleared before every walk (8 KB per
// 64,000 nodes stay in the first-level cache).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace quarry {

class VisitedSet {
 public:
  /// Allocates only when `size` exceeds all earlier sizes.
  void reset(uint32_t size) { words_.assign((size_t{size} + 63) / 64, 0); }
  bool test(uint32_t node) const noexcept { return ((words_[node >> 6] >> (node & 63)) & 1) != 0; }
  void set(uint32_t node) noexcept { words_[node >> 6] |= uint64_t{1} << (node & 63); }
  /// Adds `count` nodes, given as 32-bit numbers without alignment, and writes those that were not
  /// in the set to `out`, which has room for all of them. Returns the number written.
  uint32_t add_all(const uint8_t* nodes, uint32_t count, uint32_t* out) noexcept;

 private:
  std::vector<uint64_t> words_;
};

}  // namespace quarry
