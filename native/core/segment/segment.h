// An immutable segment: the reader of its files (data, sidx, ids, and vectors if it has coded
// vectors), either in memory or mapped from disk.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/bitset.h"
#include "base/file.h"
#include "base/status.h"
#include "columns/column.h"
#include "mapping/schema/field.h"
#include "postings/inverted_field.h"
#include "postings/term_grams.h"
#include "segment/completion_weights.h"
#include "segment/nested_docs.h"
#include "store/id_table.h"
#include "store/stored_source.h"
#include "vector/vector_column.h"

namespace quarry {

/// The files of a segment in memory.
struct SegmentImage {
  std::vector<uint8_t> data;
  std::vector<uint8_t> sidx;
  std::vector<uint8_t> ids;
  std::vector<uint8_t> vectors;  // empty: no such file
  size_t bytes() const { return data.size() + sidx.size() + ids.size() + vectors.size(); }
};

/// A field in one segment. Pointers are null when the segment has no such structure.
struct SegmentField {
  std::string name;
  FieldType type{};
  const InvertedField* inverted = nullptr;
  /// Numbers, points, or ordinals into inverted->terms(); see points() for fields of points.
  const Column* column = nullptr;
  const uint8_t* norms = nullptr;  // max_doc bytes; documents without the field have 0
  const VectorColumn* vectors = nullptr;
  const CompletionWeights* completions = nullptr;  // of `inverted`, for a completion field
  /// Null: see `column` and `vectors`; if `present_everywhere`, every document has the field.
  const Bitset* presence = nullptr;
  bool present_everywhere = false;
};

/// The number and size of vectors, for statistics.
struct VectorUsage {
  uint64_t count = 0;  // including those of deleted documents
  uint64_t row_bytes = 0;
  uint64_t code_bytes = 0;
  uint64_t graph_bytes = 0;
  void add(const VectorUsage& other) {
    count += other.count;
    row_bytes += other.row_bytes;
    code_bytes += other.code_bytes;
    graph_bytes += other.graph_bytes;
  }
};

/// Thread-safe. Documents are 0 .. max_doc-1, nested ones included, ascending by sequence number
/// or, in an index with a sort, in its order. A segment does not contain deletions: see
/// shard/snapshot.h.
class Segment {
 public:
  virtual ~Segment() = default;
  /// Verifies header, section table and the checksum of every section; ErrorType::kCorrupt names
  /// file, section and offset. Damage to `vectors` (null: there is no such file) is only reported
  /// by vector_damage(), because its content can be rebuilt.
  static Result<std::shared_ptr<const Segment>> open(std::shared_ptr<ByteSource> data,
                                                     std::shared_ptr<ByteSource> sidx,
                                                     std::shared_ptr<ByteSource> ids,
                                                     std::shared_ptr<ByteSource> vectors = nullptr);
  /// Opens an image that was just built, without verifying checksums, as the bytes never left
  /// memory.
  static Result<std::shared_ptr<const Segment>> open(SegmentImage image);

  virtual uint32_t max_doc() const = 0;
  /// Null when no document of the segment has the field.
  virtual const SegmentField* field(std::string_view name) const = 0;
  /// Whether field() would first build a column of all documents (`_seq_no`, `_version`).
  virtual bool builds_field(std::string_view name) const = 0;
  virtual const std::vector<SegmentField>& fields() const = 0;
  /// Null when all documents are roots.
  virtual const NestedDocs* nested() const = 0;
  /// The id of a nested document is empty, its version is that of its root.
  virtual const IdTable& ids() const = 0;
  virtual const StoredSource& stored() const = 0;
  virtual uint64_t min_seq_no() const = 0;
  virtual uint64_t max_seq_no() const = 0;
  virtual uint64_t bytes() const = 0;
  virtual bool mapped() const = 0;
  /// Empty, or the damage of the vector codes and graphs, without which the vectors are then
  /// searched.
  virtual const std::string& vector_damage() const = 0;
  /// Whether some of its vectors should have codes or a graph but lack them, because of damage or
  /// because only rows were written. A merge of this single segment builds them.
  virtual bool wants_vectors_built() const = 0;
  /// The usage of all vector fields.
  virtual VectorUsage vector_usage() const = 0;
  /// The raw files, for writing an in-memory segment to disk; the segment must not have coded
  /// vectors.
  virtual Bytes data_bytes() const = 0;
  virtual Bytes sidx_bytes() const = 0;
  virtual Bytes ids_bytes() const = 0;

  /// Sets the documents with a value of `field` (exists query) in `out`, whose size must be
  /// max_doc().
  virtual void collect_present(const SegmentField& field, Bitset& out,
                               StopCheck* stop = nullptr) const = 0;
  /// The column of a field of points. In segments of earlier versions, which have none, it is read
  /// from the sources of the documents, which takes time in proportion to them, and kept as long
  /// as the segment. `expired` is polled meanwhile; null once it returns true.
  virtual const Column* points(const SegmentField& field,
                               const std::function<bool()>& expired = {}) const = 0;
  /// The grams of the terms of `field`, which must be one of fields(). Null unless it is a wildcard
  /// field, and in segments of earlier versions.
  virtual const TermGrams* grams(const SegmentField& field) const = 0;
};

}  // namespace quarry
