// Builds the graph of a segment: sketch or SQ8 walks for candidates, SQ8 scores for pruning, lists
// filled up with the pruned (vector.md 4.3 and 4.6). Deterministic: one thread, a fixed seed, ties
// by ordinal.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/long_work.h"
#include "base/status.h"
#include "vector/hnsw/hnsw_graph.h"
#include "vector/sq8/code_planes.h"

namespace quarry {

struct HnswOptions {
  uint32_t m = 16;                 // kMinLinks .. kMaxLinks; brought into it
  uint32_t ef_construction = 128;  // at least m
  uint64_t seed = 42;
  const simd::Kernels* kernels =
      nullptr;  // null: the best of this processor; the graph is the same
};

/// The section of a graph over all rows of `planes` (at least one), whose rows are of one length
/// (cosine). `kept` (may be null) is a graph over some of them, with where its nodes went
/// (UINT32_MAX: deleted, its neighbours are joined again): they are taken over where `m` is the
/// same, the rest is inserted. `work` (may be null) is polled per insert; once called off:
/// ErrorType::kRejected.
Result<std::vector<uint8_t>> build_hnsw(const CodePlanes& planes, const HnswOptions& options,
                                        const HnswGraph* kept,
                                        std::span<const uint32_t> kept_ordinals,
                                        LongWork* work);

}  // namespace quarry
