// For tests: a column of vectors built in memory, the vectors it was built from, and the k nearest
// vectors by a plain double-precision scan.
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include "testing/vectors.h"
#include "vector/vector_search.h"
#include "vector/vector_writer.h"

namespace quarry::testing {

inline VectorSectionViews views_of(const VectorSections& sections) {
  return {sections.head,   sections.docs,   sections.rows, sections.full,
          sections.sketch, sections.bounds, sections.graph};
}

/// A segment whose documents have one vector each, except one document in `gaps` (0: all have one).
class TestVectorSegment {
 public:
  TestVectorSegment(const VectorOptions& options, VectorSet& set, uint32_t max_doc, uint32_t gaps,
                    VectorEffort effort = VectorEffort::kFull)
      : max_doc_(max_doc) {
    VectorWriter writer(options);
    for (uint32_t doc = 0; doc < max_doc; doc++) {
      vectors_.push_back(gaps != 0 && doc % gaps == 0 ? std::vector<float>() : set.next());
      if (doc % 7 == 6 && !vectors_[doc].empty()) vectors_[doc] = repeated(doc);
      if (!vectors_[doc].empty()) writer.add(doc, vectors_[doc]);
    }
    sections_ = *writer.finish(max_doc, effort, nullptr, nullptr);
    column_ = std::make_unique<VectorColumn>(*VectorColumn::open(views_of(sections_), max_doc));
  }

  const VectorColumn& column() const { return *column_; }
  const VectorSections& sections() const { return sections_; }
  uint32_t max_doc() const { return max_doc_; }
  /// The vector as added; empty if the document has none.
  const std::vector<float>& vector(uint32_t doc) const { return vectors_[doc]; }
  /// The vector of some document.
  const std::vector<float>& some_vector() const {
    return vectors_[column_->doc(column_->size() / 2)];
  }

 private:
  /// Some rows are equal, so that ties must be broken.
  const std::vector<float>& repeated(uint32_t doc) const {
    for (uint32_t other = doc / 2; other < doc; other++) {
      if (!vectors_[other].empty()) return vectors_[other];
    }
    return vectors_[doc];
  }

  uint32_t max_doc_;
  std::vector<std::vector<float>> vectors_;
  VectorSections sections_;
  std::unique_ptr<VectorColumn> column_;
};

/// The documented `_score` formulas, applied to the vectors as added.
inline double reference_score(VectorSimilarity similarity, const std::vector<float>& a,
                              const std::vector<float>& b) {
  double dot = 0, aa = 0, bb = 0, l2 = 0;
  for (size_t i = 0; i < a.size(); i++) {
    const double x = static_cast<double>(a[i]), y = static_cast<double>(b[i]);
    dot += x * y;
    aa += x * x;
    bb += y * y;
    l2 += (x - y) * (x - y);
  }
  switch (similarity) {
    case VectorSimilarity::kCosine:
      return (1 + dot / std::sqrt(aa * bb)) / 2;
    case VectorSimilarity::kDotProduct:
      return (1 + dot) / 2;
    case VectorSimilarity::kL2Norm:
      return 1 / (1 + l2);
    case VectorSimilarity::kMaxInnerProduct:
      return dot < 0 ? 1 / (1 - dot) : dot + 1;
    case VectorSimilarity::kByteDotProduct:
      return 0.5 + dot / (32768.0 * static_cast<double>(a.size()));
  }
  return 0;
}

/// All documents that pass, best first. Scores are those of PreparedVector, so that ties are the
/// same.
inline std::vector<VectorHit> reference_hits(const TestVectorSegment& segment,
                                             const PreparedVector& query, const Bitset* live,
                                             const Bitset* filter, uint32_t base = 0) {
  std::vector<VectorHit> hits;
  const VectorColumn& column = segment.column();
  for (uint32_t i = 0; i < column.size(); i++) {
    const uint32_t doc = column.doc(i);
    if ((live != nullptr && !live->test(doc)) || (filter != nullptr && !filter->test(doc)))
      continue;
    hits.push_back({base + doc, static_cast<float>(query.score(column.row(i)))});
  }
  std::sort(hits.begin(), hits.end(), [](const VectorHit& a, const VectorHit& b) {
    return a.score != b.score ? a.score > b.score : a.doc < b.doc;
  });
  return hits;
}

/// Searches by every path that the column supports. Returns false on an impossible result.
inline bool search_everything(const VectorColumn& column, const std::vector<float>& query_vector) {
  const PreparedVector query(column.options(), std::span(query_vector).first(column.dims()));
  Bitset filter(column.max_doc());
  for (uint32_t doc = 0; doc < column.max_doc(); doc += 3) filter.set(doc);
  VectorSearcher searcher;
  searcher.set_min_beam(20);
  bool sound = true;
  for (const VectorPath path : {VectorPath::kAuto, VectorPath::kRows, VectorPath::kCascade,
                                VectorPath::kSketchWalk, VectorPath::kFullWalk}) {
    for (const bool filtered : {false, true}) {
      TopVectors top(5, {});
      StopCheck stop(nullptr, 0);
      VectorCounters counters;
      searcher.search({&column, 0, nullptr, filtered ? &filter : nullptr}, query, 20, top, stop,
                      counters, path);
      const std::vector<VectorHit> hits = top.take();
      sound = sound && hits.size() <= 5;
      for (const VectorHit& hit : hits) sound = sound && hit.doc < column.max_doc();
    }
  }
  return sound;
}

}  // namespace quarry::testing
