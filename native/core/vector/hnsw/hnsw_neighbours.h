// How a graph under construction chooses links: distances between rows by their SQ8 codes, and the
// heuristic that prefers links in different directions (Malkov & Yashunin 2018, algorithm 4),
// filled up with the nearest others.
#pragma once

#include <cstdint>
#include <vector>

#include "vector/sq8/code_planes.h"

namespace quarry {

/// A node with its score (larger: nearer) as one number, so that sorting compares once: descending
/// order is best first, ties by ordinal.
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

/// Rows that score this much have the same codes; what is missing to 0 is rounding of two half
/// norms.
inline constexpr int32_t kCopyScore = -1;

/// A row's codes in the form that kernels take as a query.
struct RowQuery {
  std::vector<int8_t> codes;
  int32_t bias = 0;
  int32_t half_norm = 0;
};

/// Scores pairs of rows: -|x - y|^2 / 2 in steps of plane F. Integers, thus the same on every
/// processor. Const methods are thread-safe.
class PairScorer {
 public:
  PairScorer(const CodePlanes& planes, const simd::Kernels& kernels);
  void prepare(uint32_t node, RowQuery& query) const;
  void score(const RowQuery& query, const uint32_t* nodes, uint32_t count, int32_t* out) const;
  /// Asks for the row of a node that is prepared or scored soon.
  void prefetch(uint32_t node) const { simd::prefetch(planes_.full.row(node), planes_.full.stride); }
  const CodePlanes& planes() const { return planes_; }

 private:
  const CodePlanes& planes_;
  const simd::Kernels& kernels_;
  std::vector<int32_t> bias_;  // by row: 128 times the sum of its codes
};

/// One thread's buffers of the heuristic.
class NeighbourSelector {
 public:
  explicit NeighbourSelector(const PairScorer& pairs) : pairs_(pairs) {}
  /// Of `candidates`, best first, at most `most` into `out`, best first. Copies of the row itself
  /// count as one, and stand in nobody's way: they lead to each other, and the other links away.
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
