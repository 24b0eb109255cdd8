// An immutable segment: reader over its files (data, sidx, ids, and vectors where it has any that are
// coded), in memory or mapped from disk alike.
#pragma once

#include <cstdint>
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
#include "store/id_table.h"
#include "store/stored_source.h"
#include "vector/vector_column.h"

namespace quarry {

/// The bytes of the files.
struct SegmentImage {
  std::vector<uint8_t> data;
  std::vector<uint8_t> sidx;
  std::vector<uint8_t> ids;
  std::vector<uint8_t> vectors;  // empty: no such file
  size_t bytes() const { return data.size() + sidx.size() + ids.size() + vectors.size(); }
};

/// A field as one segment holds it. Pointers are null where the segment has no such structure.
struct SegmentField {
  std::string name;
  FieldType type = FieldType::kText;
  const InvertedField* inverted = nullptr;
  const Column* column = nullptr;  // numbers, or ordinals into inverted->terms()
  const uint8_t* norms = nullptr;  // max_doc bytes; documents without the field have 0
  const VectorColumn* vectors = nullptr;
  const CompletionWeights* completions = nullptr;  // of `inverted`, of a completion field
  /// Null: see `column` and `vectors`, or every document when `present_everywhere`.
  const Bitset* presence = nullptr;
  bool present_everywhere = false;
};

/// What vectors take, for statistics.
struct VectorUsage {
  uint64_t count = 0;  // deleted documents' too
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

/// Thread-safe. Documents are 0 .. max_doc-1, ascending in sequence number. Deletions are not the
/// segment's: see snapshot.
class Segment {
 public:
  virtual ~Segment() = default;
  /// Verifies header, section table and every section's checksum; ErrorType::kCorrupt names file,
  /// section and offset. Damage to `vectors` (null: there is no such file) is only reported by
  /// vector_damage(): everything in it can be made again.
  static Result<std::shared_ptr<const Segment>> open(std::shared_ptr<ByteSource> data,
                                                     std::shared_ptr<ByteSource> sidx,
                                                     std::shared_ptr<ByteSource> ids,
                                                     std::shared_ptr<ByteSource> vectors = nullptr);
  /// Opens an image that was just built (checksums skipped: the bytes never left memory).
  static Result<std::shared_ptr<const Segment>> open(SegmentImage image);

  virtual uint32_t max_doc() const = 0;
  /// Null when no document of the segment has the field.
  virtual const SegmentField* field(std::string_view name) const = 0;
  virtual const std::vector<SegmentField>& fields() const = 0;
  virtual const IdTable& ids() const = 0;
  virtual const StoredSource& stored() const = 0;
  virtual uint64_t min_seq_no() const = 0;
  virtual uint64_t max_seq_no() const = 0;
  virtual uint64_t bytes() const = 0;
  virtual bool mapped() const = 0;
  /// Empty, or what is wrong with the codes and graphs of its vectors, which are then searched
  /// without.
  virtual const std::string& vector_damage() const = 0;
  /// Some of its vectors are worth codes or a graph that it lacks, for damage or because it was
  /// written in haste: a merge of this one segment makes them.
  virtual bool wants_vectors_built() const = 0;
  /// Of all vector fields.
  virtual VectorUsage vector_usage() const = 0;
  /// The raw files, for writing an in-memory segment to disk; it must not have coded vectors.
  virtual Bytes data_bytes() const = 0;
  virtual Bytes sidx_bytes() const = 0;
  virtual Bytes ids_bytes() const = 0;

  /// Documents with a value of `field` (exists query) into `out`, whose size is max_doc().
  virtual void collect_present(const SegmentField& field, Bitset& out) const = 0;
  /// Grams of the terms of `field`, which is one of fields(): of a wildcard field. Null for others, and in segments of
  /// earlier versions.
  virtual const TermGrams* grams(const SegmentField& field) const = 0;
};

}  // namespace quarry
