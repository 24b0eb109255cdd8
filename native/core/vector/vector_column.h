// The vectors of one field of one segment: f32 rows by ordinal with their norms, and what makes
// searching them fast (codes, graph), which may be missing: then rows are scanned as they are.
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
#include "vector/hnsw/hnsw_graph.h"
#include "vector/sq8/code_planes.h"

namespace quarry {

inline constexpr uint32_t kNoVector = UINT32_MAX;
inline constexpr uint32_t kMinVectorsForGraph = 1024;  // interface.md 4.5, rule 5

/// What a segment stores of a vector field, each a section of its own. Only `head` and `rows` are
/// needed to answer; the others are made from them and may be empty.
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

/// Reader; the bytes must outlive it. Immutable and thread-safe. Ordinals ascend with documents; a
/// document may have several, in a row.
class VectorColumn {
 public:
  /// Head, docs and rows must be sound, or ErrorType::kCorrupt. Damage to any derived section
  /// leaves it out and says so in derived_damage().
  static Result<VectorColumn> open(const VectorSectionViews& sections, uint32_t max_doc);

  const VectorOptions& options() const { return options_; }
  uint32_t size() const { return size_; }
  uint32_t dims() const { return options_.dims; }
  uint32_t max_doc() const { return max_doc_; }
  /// Every document of the segment has a vector: ordinals are documents.
  bool dense() const { return dense_; }
  uint32_t doc(uint32_t ordinal) const noexcept { return dense_ ? ordinal : docs_[ordinal]; }
  /// Some document has several vectors.
  bool repeats() const { return repeats_; }
  /// The first of the document; kNoVector when it has none.
  uint32_t ordinal(uint32_t doc) const noexcept;
  /// All ordinals of the document, half-open; empty when it has none.
  struct Rows {
    uint32_t begin = 0;
    uint32_t end = 0;
  };
  Rows rows_of(uint32_t doc) const noexcept;
  /// As scored: unit length under cosine, else as the caller sent it.
  const float* row(uint32_t ordinal) const noexcept {
    return rows_ + static_cast<size_t>(ordinal) * options_.dims;
  }
  /// Length of the vector as the caller sent it.
  float norm(uint32_t ordinal) const noexcept { return norms_[ordinal]; }
  const float* norms() const noexcept { return norms_; }
  /// Where all rows lie.
  Bytes row_section() const { return sections_.rows; }

  /// Null: not coded (memory segments, small ones).
  const CodePlanes* planes() const { return planes_ ? &*planes_ : nullptr; }
  const HnswGraph* graph() const { return graph_.get(); }
  /// Empty, or which derived section is damaged: to be logged once and rebuilt.
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
  const uint32_t* docs_ = nullptr;  // null where dense
  const float* rows_ = nullptr;
  const float* norms_ = nullptr;
  std::optional<CodePlanes> planes_;
  std::vector<float> trained_;  // mean and basis, decoded
  std::unique_ptr<const HnswGraph> graph_;
  std::string damage_;
  VectorSectionViews sections_;
};

}  // namespace quarry
