// Finds the k nearest vectors of one segment. It chooses the exact cascade, the sketch walk or the
// SQ8 walk by estimated cost, and scores the results in double precision, so that `_score` never
// depends on the path (docs/decisions/vectors.md).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "base/bitset.h"
#include "base/stop_check.h"
#include "vector/vector_column.h"

namespace quarry {

/// The minimum beam of a search, which keeps recall high when num_candidates is small.
inline constexpr uint32_t kMinBeam = 800;

/// Counts of work, for metrics, `profile` and benchmarks that compare counts.
struct VectorCounters {
  uint64_t sketch_distances = 0;
  uint64_t full_distances = 0;   // with SQ8 codes
  uint64_t exact_distances = 0;  // with f32 rows
  uint64_t hops = 0;             // graph nodes expanded
  uint64_t bytes_read = 0;       // rows and codes
  void add(const VectorCounters& other);
};

struct VectorHit {
  uint32_t doc = 0;  // base + document of the segment
  float score = 0;   // `_score`, without boost
};

/// What TopVectors keeps the k best of.
enum class TopOf : uint8_t { kRows, kOuterDocs };

/// The k best hits so far over the segments of a shard, by descending score, then by ascending doc.
/// Scores are first rounded to float, so that hits with equal `_score`s are equal here. Among rows,
/// a document is added as often as its rows are pushed; the caller that searches a column with
/// repeats removes all hits of a document except the first. Among outer documents, only the best
/// hit of each is kept.
class TopVectors {
 public:
  TopVectors(uint32_t k, std::optional<float> min_score, TopOf of = TopOf::kRows);
  /// Only higher scores, or equal ones with a smaller doc, can still enter; -inf while there are
  /// fewer than k hits.
  double threshold() const { return threshold_; }
  uint32_t k() const { return k_; }
  TopOf of() const { return of_; }
  void push(uint32_t doc, double score) { push(doc, doc, score); }
  /// `outer`: the document that `doc` is inside. Of no meaning among rows.
  void push(uint32_t doc, uint32_t outer, double score);
  /// The hits in order. The collector must not be used afterwards.
  std::vector<VectorHit> take();

 private:
  struct Entry {
    double score;
    uint32_t doc;
    uint32_t outer;
  };
  static bool better(const Entry& a, const Entry& b);
  void push_row(const Entry& entry);
  void push_of_outer(const Entry& entry);
  bool is_best_of_outer(const Entry& entry) const;
  void pop_worst();

  uint32_t k_;
  double threshold_;
  TopOf of_;
  std::vector<Entry> heap_;
  // Among outer documents: the best hit of each. The heap has others too, but not at its front.
  std::unordered_map<uint32_t, Entry> best_;
};

/// A validated query of one field: finite, of the right length, not zero under cosine.
class PreparedVector {
 public:
  PreparedVector(const VectorOptions& options, std::span<const float> vector);
  /// In the form of stored rows: unit length under cosine.
  std::span<const float> vector() const { return vector_; }
  const VectorOptions& options() const { return options_; }
  /// The `_score` of a row in scored form, in double precision: cosine and dot (1 + d) / 2, l2 1 /
  /// (1 + d^2), max inner product as in Elasticsearch.
  double score(const float* row) const;
  /// Converts `similarity` of a request (cosine, dot, distance) to the corresponding minimum
  /// `_score`.
  float score_of_similarity(float similarity) const;
  /// The key by which rows are ranked before they are scored is q.x, or under l2 q.x - |x|^2 / 2.
  /// Returns the least key of a row whose score is `score` after rounding to float; -inf when every
  /// key is sufficient.
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
  const Bitset* live = nullptr;    // by document; null: all are live
  const Bitset* filter = nullptr;  // by document; null: unfiltered. Filtered searches are exact
  // The documents around those with vectors; only needed for the top of outer documents.
  const Bitset* outer = nullptr;
};

/// The buffers of one thread: heaps, visited sets, codes. Nothing is allocated once they are large
/// enough.
class VectorScratch;

/// One per search thread; not thread-safe.
class VectorSearcher {
 public:
  VectorSearcher();
  ~VectorSearcher();
  /// Adds the segment's hits to `top`. When `stop` expires, the result is partial. The beam is
  /// max(kMinBeam, num_candidates). `path` differs from kAuto only in tests and benchmarks.
  void search(const VectorSegment& segment, const PreparedVector& query, uint32_t num_candidates,
              TopVectors& top, StopCheck& stop, VectorCounters& counters,
              VectorPath path = VectorPath::kAuto);
  /// For benchmarks: allows a beam below kMinBeam.
  void set_min_beam(uint32_t beam);
  /// For tests: selects an instruction set.
  void set_kernels(const simd::Kernels& kernels);

 private:
  std::unique_ptr<VectorScratch> scratch_;
};

}  // namespace quarry
