// The k nearest vectors of one segment: picks the exact cascade, the sketch walk or the SQ8 walk by
// estimated cost, and scores what it returns in double precision, so that `_score` never depends on
// the path (decisions.md, section 3).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "base/bitset.h"
#include "base/stop_check.h"
#include "vector/vector_column.h"

namespace quarry {

inline constexpr uint32_t kMinBeam = 800;  // interface.md 4.5, rule 5

/// Work done, for metrics, `profile` and benches that compare counts.
struct VectorCounters {
  uint64_t sketch_distances = 0;
  uint64_t full_distances = 0;   // SQ8
  uint64_t exact_distances = 0;  // f32 rows
  uint64_t hops = 0;             // nodes of graphs expanded
  uint64_t bytes_read = 0;       // of rows and codes
  void add(const VectorCounters& other);
};

struct VectorHit {
  uint32_t doc = 0;  // base + document of the segment
  float score = 0;   // `_score`, without boost
};

/// The k best so far over the segments of a shard: score descending, then doc ascending. Scores are
/// rounded to float first, so that equal `_score`s are equal here. A document is in as often as its
/// rows are pushed: who searches a column that repeats drops all but its first.
class TopVectors {
 public:
  TopVectors(uint32_t k, std::optional<float> min_score);
  /// Only scores above it, or equal with a smaller doc, still enter; -inf while fewer than k are
  /// in.
  double threshold() const { return threshold_; }
  uint32_t k() const { return k_; }
  void push(uint32_t doc, double score);
  /// Sorted; the collector is spent.
  std::vector<VectorHit> take();

 private:
  struct Entry {
    double score;
    uint32_t doc;
  };
  static bool better(const Entry& a, const Entry& b);
  uint32_t k_;
  double threshold_;
  std::vector<Entry> heap_;
};

/// A query of one field, checked: finite, right length, not zero under cosine.
class PreparedVector {
 public:
  PreparedVector(const VectorOptions& options, std::span<const float> vector);
  /// As rows are kept: unit length under cosine.
  std::span<const float> vector() const { return vector_; }
  const VectorOptions& options() const { return options_; }
  /// `_score` of a row as scored, in double precision: cosine and dot (1 + d) / 2, l2 1 / (1 +
  /// d^2), max inner product as Elasticsearch.
  double score(const float* row) const;
  /// `similarity` of a request (cosine, dot, distance) as the `_score` it cuts at.
  float score_of_similarity(float similarity) const;
  /// What rows are ranked by before they are scored: q.x, or under l2 q.x - |x|^2 / 2. The least
  /// one that a row needs for `score` after rounding to float; -inf when any will do.
  double least_key(double score) const;
  double norm() const;

 private:
  VectorOptions options_;
  std::vector<float> vector_;
  double norm_squared_ = 0;
};

enum class VectorPath : uint8_t { kAuto, kRows, kCascade, kSketchWalk, kFullWalk };

struct VectorSegment {
  const VectorColumn* column = nullptr;
  uint32_t base = 0;
  const Bitset* live = nullptr;    // by document; null: all
  const Bitset* filter = nullptr;  // by document; null: unfiltered. Filtered searches are exact
};

/// Scratch of one thread: heaps, visited sets, code buffers. Nothing is allocated once warm.
class VectorScratch;

/// One per search thread; not thread-safe.
class VectorSearcher {
 public:
  VectorSearcher();
  ~VectorSearcher();
  /// Adds the segment's hits to `top`. Stops when `stop` expires (then the result is a part).
  /// `num_candidates`: the beam is max(kMinBeam, num_candidates). `path`: kAuto but in tests and
  /// benches.
  void search(const VectorSegment& segment, const PreparedVector& query, uint32_t num_candidates,
              TopVectors& top, StopCheck& stop, VectorCounters& counters,
              VectorPath path = VectorPath::kAuto);
  /// For benches: a beam below kMinBeam.
  void set_min_beam(uint32_t beam);
  /// For tests: another instruction set than the best.
  void set_kernels(const simd::Kernels& kernels);

 private:
  std::unique_ptr<VectorScratch> scratch_;
};

}  // namespace quarry
