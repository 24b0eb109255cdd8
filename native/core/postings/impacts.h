// Impacts: upper bounds for the scores of a set of postings, as those (frequency, norm) pairs that
// no other pair of the set dominates.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/coding.h"

namespace quarry {

/// One (frequency, norm) pair. The pairs of a block form a Pareto front, so a bound computed from
/// them is exact for any monotonic similarity and for any average length.
struct Impact {
  uint32_t freq;
  uint8_t norm;
};

/// The number of pairs stored per block, group and term. A longer front is shortened by joining
/// adjacent pairs to (larger frequency, smaller norm): the bound may then not be reached, but it
/// still holds.
inline constexpr uint32_t kMaxImpacts = 4;

/// Collects the front of a set of postings. A pair dominates another with no smaller frequency and
/// no larger norm.
class ImpactFront {
 public:
  void clear() { pairs_.clear(); }
  void add(Impact impact);
  void add(const ImpactFront& other);
  /// Joins adjacent pairs until at most `limit` are left.
  void shorten(uint32_t limit);
  /// Ascending in frequency and norm.
  std::span<const Impact> pairs() const { return pairs_; }

 private:
  std::vector<Impact> pairs_;
};

/// Packs a pair into 32 bits: frequency << 8 | norm. A frequency that needs more than 24 bits
/// becomes "unbounded".
uint32_t pack_impact(Impact impact) noexcept;
Impact unpack_impact(uint32_t packed) noexcept;

}  // namespace quarry
