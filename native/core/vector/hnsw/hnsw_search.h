// Beam search on a graph: a greedy descent through the upper levels, a pipelined walk of layer 0
// with a beam over compact codes (sketch or SQ8), then SQ8 scores of the best, until no later entry
// can enter the k best.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "base/bitset.h"
#include "base/stop_check.h"
#include "vector/hnsw/hnsw_graph.h"
#include "vector/sq8/code_planes.h"

namespace quarry {

struct VectorCounters;

/// A candidate: its ordinal and its estimate of q.x by plane F.
struct HnswCandidate {
  float estimate = 0;
  uint32_t ordinal = 0;
};

struct HnswQuery {
  const CodePlanes* planes = nullptr;
  const HnswGraph* graph = nullptr;
  const QueryCodes* codes = nullptr;
  /// By ordinal; null: all are live. Dead nodes are traversed but never returned; where they fill
  /// the beam, it grows until it holds enough live ones.
  const Bitset* live = nullptr;
  uint32_t k = 10;
  uint32_t beam = 800;
  bool use_sketch = true;  // walk on plane A, which must exist
  float sigmas = 6;        // number of standard deviations that a candidate's estimate may be off
  const simd::Kernels* kernels = nullptr;  // null: the best for this processor
};

/// The buffers of one thread. Nothing is allocated once they are large enough.
class HnswSearcher {
 public:
  HnswSearcher();
  ~HnswSearcher();
  HnswSearcher(const HnswSearcher&) = delete;
  HnswSearcher& operator=(const HnswSearcher&) = delete;
  /// Returns candidates in descending order of estimate, ties by ordinal. The caller rescores them
  /// in full precision until the bounds of plane F exclude all the rest; candidates that certainly
  /// cannot be among the k best are already removed. When `stop` expires, the candidates are those
  /// found until then. The result is valid until the next call.
  const std::vector<HnswCandidate>& search(const HnswQuery& query, StopCheck& stop,
                                           VectorCounters& counters);

 private:
  struct Scratch;
  std::unique_ptr<Scratch> scratch_;
};

}  // namespace quarry
