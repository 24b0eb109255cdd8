// Format of the fields section. All integers little-endian.
//
//   u32 magic "QFLD", u16 version (1, or 2 in a segment with nested documents), u16 zero
//   u32 documents, u32 fields
//   u64 smallest, u64 largest sequence number
//   per field, by name ascending; its position is the field ordinal of its sections:
//     u32 length of the name, the name
//     u8 field type (mapping/schema/types.def), u8 flags (FieldFlags)
//
// A field with a column or vectors needs no presence: a document has the field when it has a value
// there.
#include "segment/segment_writer.h"

#include "base/hash.h"
#include "mapping/schema/version_fields.h"

namespace quarry {

SegmentWriter::SegmentWriter(const FileMaker& make)
    : data_(FileKind::kData, make),
      sidx_(FileKind::kSidx, make),
      ids_(FileKind::kIds, make),
      vectors_(FileKind::kVectors, make) {}

ByteSink SegmentWriter::row_sink() {
  if (!data_.on_disk()) return nullptr;
  return [this](Bytes bytes) { data_.append(SectionKind::kVectorRows, field_count_, bytes); };
}

ByteSink SegmentWriter::source_sink() {
  if (!data_.on_disk()) return nullptr;
  return [this](Bytes bytes) { data_.append(SectionKind::kSourceBlocks, kNoField, bytes); };
}

Status SegmentWriter::status() const {
  for (const SectionFileWriter* file : {&data_, &sidx_, &ids_, &vectors_}) {
    QUARRY_RETURN_IF_ERROR(file->status());
  }
  return {};
}

/// Adds the vector sections of a field. Returns the flags to set.
uint8_t SegmentWriter::add_vectors(VectorSections& sections, bool built, uint32_t ordinal) {
  const bool coded = !sections.full.empty() || !sections.sketch.empty() ||
                     !sections.bounds.empty() || !sections.graph.empty();
  sidx_.add(SectionKind::kVectorHead, ordinal, std::move(sections.head));
  // Rows that were written through row_sink() already precede the documents.
  data_.add(SectionKind::kVectorRows, ordinal, std::move(sections.rows));
  data_.add(SectionKind::kVectorDocs, ordinal, std::move(sections.docs));
  vectors_.add(SectionKind::kVectorFull, ordinal, std::move(sections.full));
  vectors_.add(SectionKind::kVectorSketch, ordinal, std::move(sections.sketch));
  vectors_.add(SectionKind::kVectorBounds, ordinal, std::move(sections.bounds));
  vectors_.add(SectionKind::kVectorGraph, ordinal, std::move(sections.graph));
  return static_cast<uint8_t>(kFieldVectors | (built ? kFieldVectorsBuilt : 0) |
                              (coded ? kFieldVectorsFile : 0));
}

void SegmentWriter::add_field(FieldSections field) {
  nested_ = nested_ || field.name == kNestedPathField;
  const uint32_t ordinal = field_count_++;
  uint8_t flags = 0;
  if (field.has_inverted) {
    flags |= kFieldInverted;
    sidx_.add(SectionKind::kTerms, ordinal, std::move(field.inverted.terms));
    sidx_.add(SectionKind::kBlocks, ordinal, std::move(field.inverted.blocks));
    data_.add(SectionKind::kPostings, ordinal, std::move(field.inverted.postings));
    data_.add(SectionKind::kPositions, ordinal, std::move(field.inverted.positions));
  }
  sidx_.add(SectionKind::kCompletionWeights, ordinal, std::move(field.completions));
  sidx_.add(SectionKind::kTermGrams, ordinal, std::move(field.grams));
  if (!field.norms.empty()) {
    flags |= kFieldNorms;
    data_.add(SectionKind::kNorms, ordinal, std::move(field.norms));
  }
  if (!field.column.empty()) {
    flags |= kFieldColumn;
    data_.add(SectionKind::kColumn, ordinal, std::move(field.column));
  } else if (!field.vectors.head.empty()) {
    flags |= add_vectors(field.vectors, field.vectors_built, ordinal);
  } else if (field.presence.size() != 0) {
    flags |= kFieldPresence;
    const auto words = field.presence.words();
    const auto* bytes = reinterpret_cast<const uint8_t*>(words.data());
    data_.add(SectionKind::kPresence, ordinal, {bytes, bytes + words.size_bytes()});
  } else {
    flags |= kFieldEverywhere;
  }
  fields_.put_string(field.name);
  fields_.put(field.type);
  fields_.put(flags);
}

/// Adds the remaining sections. Returns the segment id.
uint64_t SegmentWriter::close(const SegmentSummary& summary, StoredSections stored,
                              std::vector<uint8_t> ids) {
  ByteWriter table;
  table.put(kFieldsMagic);
  table.put(nested_ ? kNestedFieldsVersion : kFieldsVersion);
  table.put(uint16_t{0});
  table.put(summary.max_doc);
  table.put(field_count_);
  table.put(summary.min_seq_no);
  table.put(summary.max_seq_no);
  table.put_bytes(fields_.view());
  sidx_.add(SectionKind::kFields, kNoField, table.take());
  data_.add(SectionKind::kSourceBlocks, kNoField, std::move(stored.blocks));
  sidx_.add(SectionKind::kSourceIndex, kNoField, std::move(stored.index));
  ids_.add(SectionKind::kIdTable, kNoField, std::move(ids));

  // The id is computed from the content: the same documents give the same bytes, wherever they are
  // built.
  ByteWriter digests;
  digests.put(data_.digest());
  digests.put(sidx_.digest());
  digests.put(ids_.digest());
  if (!vectors_.empty()) digests.put(vectors_.digest());
  return hash64(as_text(digests.view()));
}

SegmentImage SegmentWriter::finish(const SegmentSummary& summary, StoredSections stored,
                                   std::vector<uint8_t> ids) {
  const uint64_t segment_id = close(summary, std::move(stored), std::move(ids));
  return {data_.finish(segment_id), sidx_.finish(segment_id), ids_.finish(segment_id),
          vectors_.empty() ? std::vector<uint8_t>() : vectors_.finish(segment_id)};
}

Status SegmentWriter::finish_files(const SegmentSummary& summary, StoredSections stored,
                                   std::vector<uint8_t> ids) {
  const uint64_t segment_id = close(summary, std::move(stored), std::move(ids));
  QUARRY_RETURN_IF_ERROR(data_.finish_file(segment_id));
  QUARRY_RETURN_IF_ERROR(sidx_.finish_file(segment_id));
  QUARRY_RETURN_IF_ERROR(ids_.finish_file(segment_id));
  return vectors_.empty() ? Status() : vectors_.finish_file(segment_id);
}

}  // namespace quarry
