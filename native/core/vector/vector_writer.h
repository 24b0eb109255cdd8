// Builds the sections of a vector field: rows in, codes trained and encoded, the graph built or
// carried over.
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

/// How much is built: rows alone (a segment in memory, searched as it is), or codes and, where the
/// field wants one and has kMinVectorsForGraph rows, the graph.
enum class VectorEffort : uint8_t { kRows, kFull };

/// A vector as a column under cosine keeps it: of unit length, each value rounded once. A zero one
/// stays as it is.
std::vector<float> unit_vector(std::span<const float> vector);

/// A graph to start from when segments merge: the largest input's, with where its ordinals went.
struct GraphSeed {
  const HnswGraph* graph = nullptr;
  std::span<const uint32_t> ordinals;  // old ordinal -> new; kNoVector: deleted
};

/// Rows arrive in ascending document order, those of one document in a row. One thread.
class VectorWriter {
 public:
  explicit VectorWriter(const VectorOptions& options);
  /// A caller's vector, finite, options.dims floats; under cosine not zero.
  void add(uint32_t doc, std::span<const float> vector);
  /// A row that is already as scored, with the length of its original (merges). It is read in
  /// finish(), and must stay until then. Either all rows are added this way or none.
  void add_row(uint32_t doc, const float* row, float norm);
  void reserve(uint32_t rows);
  uint32_t size() const { return static_cast<uint32_t>(docs_.size()); }

  /// The writer is spent. `work` (may be null) once called off ends it with ErrorType::kRejected.
  /// `sink` (may be null) takes the section of rows, which is empty in what is returned then.
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
  std::vector<uint8_t> rows_;  // grows into the section itself: no second copy of the largest part
  std::vector<const float*> lent_;  // in place of it: rows of add_row()
  std::vector<float> norms_;
  uint32_t expected_ = 0;
};

}  // namespace quarry
