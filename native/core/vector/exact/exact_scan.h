// Finds the best rows of a segment exactly: sketch, then SQ8, then f32 rows. A stage passes on the
// rows whose upper bound reaches the k-th best score so far (vector.md 4.2), so nothing is missed.
#pragma once

#include <cstdint>
#include <vector>

#include "base/stop_check.h"
#include "simd/kernels.h"
#include "vector/exact/candidate_rows.h"
#include "vector/vector_search.h"

namespace quarry {

/// Where a scan starts.
enum class ScanStage : uint8_t { kRows, kFull, kSketch };

/// What a scan or a walk works for.
struct ScanTarget {
  const VectorColumn* column = nullptr;
  uint32_t base = 0;  // added to documents
  const PreparedVector* query = nullptr;
  TopVectors* top = nullptr;
  StopCheck* stop = nullptr;
  VectorCounters* counters = nullptr;
  const simd::Kernels* kernels = nullptr;

  bool l2() const { return query->options().similarity == VectorSimilarity::kL2Norm; }
};

/// Offers rows to the top, and knows what they must reach. Cheap to make; the target outlives it.
class RowScorer {
 public:
  explicit RowScorer(const ScanTarget& target);

  /// Least key (PreparedVector::least_key) that still matters, rounded down; grows with the top.
  float limit() const { return limit_; }
  /// Rows scored so far.
  uint64_t scored() const { return scored_; }
  void score(uint32_t ordinal);
  /// Asks for a row ahead of its turn.
  void prefetch(uint32_t ordinal) const;

 private:
  const ScanTarget& target_;
  double threshold_;
  float limit_;
  uint64_t scored_ = 0;
};

/// One thread's buffers; nothing is allocated once warm.
class ExactScan {
 public:
  /// Offers the rows to target.top, or as many as it can before target.stop expires. `stage`: above
  /// kRows needs planes and `codes` prepared for them, kSketch a sketch.
  void run(const ScanTarget& target, const CandidateRows& rows, const QueryCodes& codes,
           ScanStage stage);

 private:
  /// A row that no stage has ruled out.
  struct Survivor {
    float bound;
    uint32_t ordinal;
  };
  /// Places [first, first + count) of the candidates.
  struct Chunk {
    uint32_t first;
    uint32_t count;
  };
  /// What one run works on.
  struct Run {
    const ScanTarget& target;
    const CandidateRows& rows;
    const QueryCodes& codes;
    const CodePlanes* planes;  // null where the stage is kRows
    simd::RowBound sketch_bound;
    simd::RowBound full_bound;
    RowScorer scorer;
  };

  void scan_rows(Run& run);
  void scan_full(Run& run);
  void scan_sketch(Run& run);
  void seed(Run& run, uint32_t block);
  void sum_codes(const Run& run, simd::CodeRows codes, const int8_t* query, Chunk chunk);
  void select_rows(const Run& run, const simd::RowBound& bound, float limit, Chunk chunk,
                   const int32_t* sums);
  void refine_selected(Run& run, const int32_t* sums);
  void full_of_selected(Run& run);
  void refine_survivors(Run& run);
  void score_survivors(Run& run);

  std::vector<int32_t> sums_;       // of the codes of a chunk
  std::vector<uint32_t> places_;    // within the chunk, that a bound left
  std::vector<uint32_t> selected_;  // ordinals that are looked at next
  std::vector<int32_t> selected_sums_;
  std::vector<uint32_t> seeds_;  // ordinals, ascending
  std::vector<Survivor> survivors_;
};

}  // namespace quarry
