// The vectors of one field of one segment: f32 rows by ordinal with their norms, and the structures
// that speed up searches (codes, graph). If those are absent, the rows are scanned directly.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/coding.h"
#include "base/status.h"
#include "mapping/vectors/vector_options.h"
#include "vector/document_ranks.h"
#include "vector/hnsw/hnsw_graph.h"
#include "vector/sq8/code_planes.h"

namespace quarry {

inline constexpr uint32_t kNoVector = UINT32_MAX;
inline constexpr uint32_t kMinVectorsForGraph = 1024;  // segments with fewer vectors have no graph

/// The sections that a segment stores for a vector field. Only `head` and `rows` are needed for
/// results; the others are derived from them and may be empty.
struct VectorSections {
  std::vector<uint8_t> head;  // sidx: options, counts, training results (mean, basis, steps)
  std::vector<uint8_t> docs;  // data: documents by ordinal; empty when every document has a vector
  std::vector<uint8_t> rows;  // data: f32 rows, then f32 norms
  std::vector<uint8_t> full;  // data: plane F
  std::vector<uint8_t> sketch;  // data: plane A
  std::vector<uint8_t> bounds;  // data: per row: errors, tail, half norm
  std::vector<uint8_t> graph;   // data: vector/hnsw/hnsw_graph.h
};

/// The same as views of a mapped or in-memory file.
struct VectorSectionViews {
  Bytes head, docs, rows, full, sketch, bounds, graph;
};

/// The reader. The bytes must outlive it. Immutable and thread-safe. Ordinals ascend with
/// documents; a document may have several consecutive ordinals.
class VectorColumn {
 public:
  /// The error is ErrorType::kCorrupt if head, docs or rows are damaged. A damaged derived section
  /// is left out and reported by derived_damage().
  static Result<VectorColumn> open(const VectorSectionViews& sections, uint32_t max_doc);

  const VectorOptions& options() const { return options_; }
  uint32_t size() const { return size_; }
  uint32_t dims() const { return options_.dims; }
  uint32_t max_doc() const { return max_doc_; }
  /// Whether every document of the segment has exactly one vector, so that ordinals are document
  /// numbers.
  bool dense() const { return dense_; }
  uint32_t doc(uint32_t ordinal) const noexcept { return dense_ ? ordinal : docs_[ordinal]; }
  /// Whether some document has several vectors.
  bool repeats() const { return repeats_; }
  /// The first ordinal of the document; kNoVector when it has none.
  uint32_t ordinal(uint32_t doc) const noexcept;
  /// All ordinals of the document, half-open; empty when it has none.
  struct Rows {
    uint32_t begin = 0;
    uint32_t end = 0;
  };
  Rows rows_of(uint32_t doc) const noexcept;
  /// Finds the rows of many documents. May only be called when the column is not dense.
  const DocumentRanks& ranks() const { return ranks_; }
  /// The row in scored form: unit length under cosine, otherwise as the client sent it.
  const float* row(uint32_t ordinal) const noexcept {
    return rows_ + static_cast<size_t>(ordinal) * options_.dims;
  }
  /// The length of the vector that the client sent.
  float norm(uint32_t ordinal) const noexcept { return norms_[ordinal]; }
  const float* norms() const noexcept { return norms_; }
  /// The section of all rows.
  Bytes row_section() const { return sections_.rows; }

  /// Null if the rows are not coded (in-memory and small segments).
  const CodePlanes* planes() const { return planes_ ? &*planes_ : nullptr; }
  const HnswGraph* graph() const { return graph_.get(); }
  /// The damaged derived section, which the caller logs once and rebuilds; empty when there is
  /// none.
  const std::string& derived_damage() const { return damage_; }
  /// Bytes on disk by purpose, for statistics.
  uint64_t row_bytes() const;
  uint64_t code_bytes() const;
  uint64_t graph_bytes() const;

 private:
  VectorOptions options_;
  uint32_t size_ = 0;
  uint32_t max_doc_ = 0;
  bool dense_ = true;
  bool repeats_ = false;
  const uint32_t* docs_ = nullptr;  // null if dense
  DocumentRanks ranks_;             // empty if dense
  const float* rows_ = nullptr;
  const float* norms_ = nullptr;
  std::optional<CodePlanes> planes_;
  std::vector<float> trained_;  // mean and basis, decoded
  std::unique_ptr<const HnswGraph> graph_;
  std::string damage_;
  VectorSectionViews sections_;
};

}  // namespace quarry
