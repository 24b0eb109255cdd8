// Finds the best rows of a segment exactly, in three stages: sketch, then SQ8, then f32 rows. A
// stage passes on the rows whose upper bound reaches the k-th best score so far, so no hit is
// missed.
#pragma once

#include <cstdint>
#include <vector>

#include "base/stop_check.h"
#include "simd/kernels.h"
#include "vector/exact/candidate_rows.h"
#include "vector/vector_search.h"

namespace quarry {

/// The stage at which a scan starts.
enum class ScanStage : uint8_t { kRows, kFull, kSketch };

/// The context of a scan or a walk: its input and its result.
struct ScanTarget {
  const VectorColumn* column = nullptr;
  uint32_t base = 0;              // added to document numbers
  const Bitset* outer = nullptr;  // VectorSegment::outer
  const PreparedVector* query = nullptr;
  TopVectors* top = nullptr;
  StopCheck* stop = nullptr;
  VectorCounters* counters = nullptr;
  const simd::Kernels* kernels = nullptr;

  bool l2() const { return query->options().similarity == VectorSimilarity::kL2Norm; }
};

/// Scores rows and adds them to the top vectors, and computes the limit that they must reach. Cheap
/// to create; the target outlives it.
class RowScorer {
 public:
  explicit RowScorer(const ScanTarget& target);

  /// The least key (PreparedVector::least_key) that can still enter the top, rounded down. It grows
  /// with the top.
  float limit() const { return limit_; }
  /// The number of rows scored so far.
  uint64_t scored() const { return scored_; }
  void score(uint32_t ordinal);
  /// Prefetches a row that is scored soon.
  void prefetch(uint32_t ordinal) const;

 private:
  const ScanTarget& target_;
  double threshold_;
  float limit_;
  uint64_t scored_ = 0;
};

/// The buffers of one thread. Nothing is allocated once they are large enough.
class ExactScan {
 public:
  /// Adds the best of `rows` to target.top, or of those it can process before target.stop expires.
  /// A `stage` above kRows needs planes and `codes` prepared for them, kSketch also a sketch.
  void run(const ScanTarget& target, const CandidateRows& rows, const QueryCodes& codes,
           ScanStage stage);

 private:
  /// A row that no stage has excluded.
  struct Survivor {
    float bound;
    uint32_t ordinal;
  };
  /// The candidates at places [first, first + count).
  struct Chunk {
    uint32_t first;
    uint32_t count;
  };
  /// The state of one run.
  struct Run {
    const ScanTarget& target;
    const CandidateRows& rows;
    const QueryCodes& codes;
    const CodePlanes* planes;  // null if the stage is kRows
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

  std::vector<int32_t> sums_;       // integer dot products of the codes of a chunk
  std::vector<uint32_t> places_;    // places in the chunk that a bound did not exclude
  std::vector<uint32_t> selected_;  // ordinals to process next
  std::vector<int32_t> selected_sums_;
  std::vector<uint32_t> seeds_;  // ordinals, ascending
  std::vector<Survivor> survivors_;
};

}  // namespace quarry
