// Puts finished sections together to the files of a segment: the last step of building and of
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

/// One field, finished. A structure that the field lacks is empty.
struct FieldSections {
  std::string name;
  FieldType type = FieldType::kText;
  bool has_inverted = false;
  InvertedSections inverted;
  std::vector<uint8_t> completions;  // weights of the terms, of a completion field
  std::vector<uint8_t> grams;        // of the terms, of a wildcard field
  std::vector<uint8_t> column;
  std::vector<uint8_t> norms;
  VectorSections vectors;      // of a vector field; its head is never empty
  bool vectors_built = false;  // with all that the field wants, not as rows alone
  /// Of fields without a column and vectors: documents with a value. None: every document.
  Bitset presence;
};

struct SegmentSummary {
  uint32_t max_doc = 0;
  uint64_t min_seq_no = 0;
  uint64_t max_seq_no = 0;
};

/// What the flags of a field in the fields section say.
enum FieldFlags : uint8_t {
  kFieldInverted = 1,
  kFieldColumn = 2,
  kFieldNorms = 4,
  kFieldPresence = 8,
  kFieldEverywhere = 16,
  kFieldVectors = 32,
  kFieldVectorsBuilt = 64,  // codes and graph are made, as far as the field wants them
  kFieldVectorsFile = 128,  // some of that is in the vectors file
};

inline constexpr uint32_t kFieldsMagic = 0x444c4651;  // "QFLD"
inline constexpr uint16_t kFieldsVersion = 1;

/// In memory, or straight on disk: then every section is written once it is there, and the largest ones piece by piece.
class SegmentWriter {
 public:
  explicit SegmentWriter(const FileMaker& make = {});
  /// Takes the vector rows of the field that is added next; null where sections stay in memory.
  ByteSink row_sink();
  /// Takes the blocks of `_source`, after all fields; null where sections stay in memory.
  ByteSink source_sink();
  /// What went wrong with a file on disk: there is no use in going on.
  Status status() const;
  /// Fields by name, strictly ascending bytewise.
  void add_field(FieldSections field);
  /// The segment in memory. The writer is spent.
  SegmentImage finish(const SegmentSummary& summary, StoredSections stored,
                      std::vector<uint8_t> ids);
  /// The segment on disk: its files are synced, their folder is not. The writer is spent.
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
};

}  // namespace quarry
