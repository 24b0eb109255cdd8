// Builds the sections of a vector field: collects rows, trains and encodes the codes, and builds or
// extends the graph.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/file.h"
#include "base/long_work.h"
#include "base/status.h"
#include "mapping/vectors/vector_options.h"
#include "vector/sq8/code_planes.h"
#include "vector/vector_column.h"
#include "vector/vector_rows.h"

namespace quarry {

/// How much is built: only rows (an in-memory segment, scanned directly), or codes and, if the
/// field has a graph and kMinVectorsForGraph rows, the graph.
enum class VectorEffort : uint8_t { kRows, kFull };

/// The form in which a column under cosine stores a vector: unit length, each value rounded once. A
/// zero vector is unchanged.
std::vector<float> unit_vector(std::span<const float> vector);

/// A graph to start from in a merge: that of the largest input, with the new ordinals of its nodes.
struct GraphSeed {
  const HnswGraph* graph = nullptr;
  std::span<const uint32_t> ordinals;  // old ordinal -> new; kNoVector: deleted
};

/// Rows are added in ascending document order, those of one document consecutively. Not
/// thread-safe.
class VectorWriter {
 public:
  explicit VectorWriter(const VectorOptions& options);
  /// Adds a vector from a client: finite, options.dims floats; under cosine not zero.
  void add(uint32_t doc, std::span<const float> vector);
  /// Adds a row in scored form with the length of its original (merges). The row is read in
  /// finish() and must stay valid until then. Either all rows are added this way or none.
  void add_row(uint32_t doc, const float* row, float norm);
  void reserve(uint32_t rows);
  uint32_t size() const { return static_cast<uint32_t>(docs_.size()); }

  /// The writer must not be used afterwards. Once `work` (may be null) is cancelled, the error is
  /// ErrorType::kRejected. `sink` (may be null) receives the section of rows, which is then empty
  /// in the result.
  Result<VectorSections> finish(uint32_t max_doc, VectorEffort effort, const GraphSeed* seed,
                                LongWork* work, const ByteSink& sink = {});

 private:
  bool worth_coding(VectorEffort effort) const;
  VectorRows rows() const;
  void pass_on(uint32_t begin, uint32_t end, const ByteSink& sink) const;
  std::vector<uint8_t> take_rows();
  Bytes norm_bytes() const;
  Result<std::vector<uint8_t>> graph_over(const CodePlanes& planes, const GraphSeed* seed,
                                          LongWork* work) const;

  VectorOptions options_;
  std::vector<uint32_t> docs_;
  // Becomes the section itself, which avoids a copy of the largest part
  std::vector<uint8_t> rows_;
  std::vector<const float*> lent_;  // used instead of rows_: the rows of add_row()
  std::vector<float> norms_;
  uint32_t expected_ = 0;
};

}  // namespace quarry
