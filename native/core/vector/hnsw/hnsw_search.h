// Beam search on a graph: upper levels greedily, layer 0 with a beam over compact codes (sketch or
// SQ8) in a pipeline of three stages, then SQ8 scores of the best, until no later one can enter the
// k best (vector.md 4.3).
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

/// A candidate: its ordinal and its estimate of q.x from plane F.
struct HnswCandidate {
  float estimate = 0;
  uint32_t ordinal = 0;
};

struct HnswQuery {
  const CodePlanes* planes = nullptr;
  const HnswGraph* graph = nullptr;
  const QueryCodes* codes = nullptr;
  /// By ordinal; null: all. Dead nodes are walked through, never returned; where they crowd the
  /// beam it grows until it holds enough living ones.
  const Bitset* live = nullptr;
  uint32_t k = 10;
  uint32_t beam = 800;
  bool use_sketch = true;  // walk on plane A; needs one
  float sigmas = 6;        // z of vector.md 4.6: how unlikely a missed candidate has to be
  const simd::Kernels* kernels = nullptr;  // null: the best of this processor
};

/// One thread's buffers; nothing is allocated once warm.
class HnswSearcher {
 public:
  HnswSearcher();
  ~HnswSearcher();
  HnswSearcher(const HnswSearcher&) = delete;
  HnswSearcher& operator=(const HnswSearcher&) = delete;
  /// Candidates in descending order of estimate, ties by ordinal: the caller rescores them in full
  /// precision until the bounds of plane F say that none of the rest can enter. Those that cannot
  /// enter for sure are left out already. When `stop` expires: of what was seen until then. Valid
  /// until the next call.
  const std::vector<HnswCandidate>& search(const HnswQuery& query, StopCheck& stop,
                                           VectorCounters& counters);

 private:
  struct Scratch;
  std::unique_ptr<Scratch> scratch_;
};

}  // namespace quarry
