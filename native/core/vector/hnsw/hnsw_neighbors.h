// Selects the links of a graph under construction: distances between rows by their SQ8 codes, and
// the heuristic that prefers links in different directions (Malkov & Yashunin 2018, algorithm 4),
// filled up with the nearest of the rejected candidates.
#pragma once

#include <cstdint>
#include <vector>

#include "vector/sq8/code_planes.h"

namespace quarry {

/// A node and its score (larger: nearer) in one number, so that sorting needs one comparison.
/// Sorted nodes are best first, ties by ordinal.
class RankedNode {
 public:
  RankedNode() = default;
  RankedNode(int32_t score, uint32_t node)
      : key_(static_cast<uint64_t>(static_cast<uint32_t>(score) ^ 0x80000000U) << 32 | ~node) {}
  int32_t score() const {
    return static_cast<int32_t>(static_cast<uint32_t>(key_ >> 32) ^ 0x80000000U);
  }
  uint32_t node() const { return ~static_cast<uint32_t>(key_); }
  friend bool operator<(RankedNode a, RankedNode b) { return a.key_ > b.key_; }

 private:
  uint64_t key_ = 0;
};

/// Rows with this score have the same codes; the difference from 0 is the rounding of two half
/// norms.
inline constexpr int32_t kCopyScore = -1;

/// The codes of a row in the form that kernels take as a query.
struct RowQuery {
  std::vector<int8_t> codes;
  int32_t bias = 0;
  int32_t half_norm = 0;
};

/// Scores pairs of rows: -|x - y|^2 / 2 in steps of plane F, in integers and thus the same on every
/// processor. Const methods are thread-safe.
class PairScorer {
 public:
  PairScorer(const CodePlanes& planes, const simd::Kernels& kernels);
  void prepare(uint32_t node, RowQuery& query) const;
  void score(const RowQuery& query, const uint32_t* nodes, uint32_t count, int32_t* out) const;
  /// Prefetches the row of a node that is prepared or scored soon.
  void prefetch(uint32_t node) const {
    simd::prefetch(planes_.full.row(node), planes_.full.stride);
  }
  const CodePlanes& planes() const { return planes_; }

 private:
  const CodePlanes& planes_;
  const simd::Kernels& kernels_;
  std::vector<int32_t> bias_;  // by row: 128 times the sum of its codes
};

/// The buffers of one thread for the heuristic.
class NeighborSelector {
 public:
  explicit NeighborSelector(const PairScorer& pairs) : pairs_(pairs) {}
  /// Selects at most `most` of `candidates`, which are ordered best first, into `out`, in the same
  /// order. Of the copies of the row itself only the first is selected directly, and it does not
  /// exclude other candidates: copies lead to each other, the other links lead away.
  void select(const std::vector<RankedNode>& candidates, uint32_t most,
              std::vector<RankedNode>& out);

 private:
  bool is_nearer_to_a_kept_one(RankedNode candidate);

  const PairScorer& pairs_;
  RowQuery query_;
  std::vector<uint32_t> kept_;
  std::vector<RankedNode> passed_over_;
};

}  // namespace quarry
