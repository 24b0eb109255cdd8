// Assembles finished sections into the files of a segment: the last step of building and of
// merging.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/bitset.h"
#include "mapping/schema/field.h"
#include "postings/inverted_field.h"
#include "segment/section_file.h"
#include "segment/segment.h"
#include "store/stored_source.h"
#include "vector/vector_column.h"

namespace quarry {

/// The finished sections of one field. A structure that the field does not have is empty.
struct FieldSections {
  std::string name;
  FieldType type{};
  bool has_inverted = false;
  InvertedSections inverted;
  std::vector<uint8_t> completions;  // weights of the terms, for a completion field
  std::vector<uint8_t> grams;        // grams of the terms, for a wildcard field
  std::vector<uint8_t> column;
  std::vector<uint8_t> norms;
  VectorSections vectors;      // for a vector field; its head is never empty
  bool vectors_built = false;  // true: with codes and graph as configured
  /// For fields without a column and vectors: the documents with a value. Empty: every document.
  Bitset presence;
};

struct SegmentSummary {
  uint32_t max_doc = 0;
  uint64_t min_seq_no = 0;
  uint64_t max_seq_no = 0;
};

/// The flags of a field in the fields section.
enum FieldFlags : uint8_t {
  kFieldInverted = 1,
  kFieldColumn = 2,
  kFieldNorms = 4,
  kFieldPresence = 8,
  kFieldEverywhere = 16,
  kFieldVectors = 32,
  kFieldVectorsBuilt = 64,  // codes and graph are built as configured
  kFieldVectorsFile = 128,  // some of them are in the vectors file
};

inline constexpr uint32_t kFieldsMagic = 0x444c4651;  // "QFLD"
inline constexpr uint16_t kFieldsVersion = 1;
/// Of a segment with nested documents, which earlier versions would take for whole documents.
inline constexpr uint16_t kNestedFieldsVersion = 2;

/// Writes in memory, or directly to disk: then every section is written once it is finished, and
/// the largest ones in pieces.
class SegmentWriter {
 public:
  explicit SegmentWriter(const FileMaker& make = {});
  /// Receives the vector rows of the field that is added next; null when writing in memory.
  ByteSink row_sink();
  /// Receives the blocks of `_source`, after all fields; null when writing in memory.
  ByteSink source_sink();
  /// The first error of a file on disk. After an error the writer should be abandoned.
  Status status() const;
  /// Fields must be added in strictly ascending bytewise order of their names.
  void add_field(FieldSections field);
  /// Returns the segment in memory. The writer must not be used afterwards.
  SegmentImage finish(const SegmentSummary& summary, StoredSections stored,
                      std::vector<uint8_t> ids);
  /// Completes the segment on disk: syncs its files, but not their folder. The writer must not be
  /// used afterwards.
  Status finish_files(const SegmentSummary& summary, StoredSections stored,
                      std::vector<uint8_t> ids);

 private:
  uint64_t close(const SegmentSummary& summary, StoredSections stored, std::vector<uint8_t> ids);
  uint8_t add_vectors(VectorSections& sections, bool built, uint32_t ordinal);

  SectionFileWriter data_;
  SectionFileWriter sidx_;
  SectionFileWriter ids_;
  SectionFileWriter vectors_;
  ByteWriter fields_;
  uint32_t field_count_ = 0;
  bool nested_ = false;
};

}  // namespace quarry
