// Builds the graph of a segment: walks on the sketch or SQ8 codes find candidates, SQ8 scores
// select links, and lists are filled up with candidates that the selection rejected. Deterministic:
// one thread, a fixed seed, ties ordered by ordinal.
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
  uint32_t m = 16;                 // clamped to kMinLinks .. kMaxLinks
  uint32_t ef_construction = 128;  // at least m
  uint64_t seed = 42;
  const simd::Kernels* kernels =
      nullptr;  // null: the best for this processor; the graph is the same
};

/// Builds the section of a graph over all rows of `planes` (at least one), whose rows all have the
/// same length (cosine). `kept` (may be null) is a graph over some of the rows, and `kept_ordinals`
/// maps its nodes to rows (UINT32_MAX: deleted, the nodes that linked to it are connected again).
/// Its nodes are reused where `m` is the same, and the other rows are inserted. `work` (may be
/// null) is polled per insert; once it is cancelled, the error is ErrorType::kRejected.
Result<std::vector<uint8_t>> build_hnsw(const CodePlanes& planes, const HnswOptions& options,
                                        const HnswGraph* kept,
                                        std::span<const uint32_t> kept_ordinals, LongWork* work);

}  // namespace quarry
