// Impacts: what a set of postings can score at most, as (frequency, norm) pairs that no other pair
// of the set beats.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/coding.h"

namespace quarry {

/// One (frequency, norm) pair; a block's pairs form a Pareto front, so a bound from them is exact
/// for any monotonic similarity, whatever the average length is today.
struct Impact {
  uint32_t freq;
  uint8_t norm;
};

/// Pairs kept per block, group and term. A longer front is shortened by joining neighbours to
/// (larger frequency, smaller norm): then the bound is no longer reached, but it still holds.
inline constexpr uint32_t kMaxImpacts = 4;

/// Collects the front of a set of postings. A pair beats another with no smaller frequency and no
/// larger norm.
class ImpactFront {
 public:
  void clear() { pairs_.clear(); }
  void add(Impact impact);
  void add(const ImpactFront& other);
  /// Joins neighbours until at most `limit` pairs are left.
  void shorten(uint32_t limit);
  /// Ascending in frequency and norm.
  std::span<const Impact> pairs() const { return pairs_; }

 private:
  std::vector<Impact> pairs_;
};

/// A pair in 32 bits: frequency << 8 | norm. A frequency that needs more than 24 bits becomes
/// "unbounded".
uint32_t pack_impact(Impact impact) noexcept;
Impact unpack_impact(uint32_t packed) noexcept;

}  // namespace quarry
