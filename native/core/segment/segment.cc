// Reader of the files of a segment. Their formats are described in section_file.cc and
// segment_writer.cc.
#include "segment/segment.h"

#include <algorithm>
#include <array>
#include <optional>

#include "base/page_cache.h"
#include "mapping/schema/version_fields.h"
#include "segment/section_file.h"
#include "segment/segment_writer.h"
#include "segment/source_points.h"
#include "segment/unverified_segment.h"
#include "segment/version_columns.h"

namespace quarry {
namespace {

constexpr size_t kFewFields = 32;  // up to this many, a linear search is faster

/// A number that distinguishes most names: computed from the bytes of short names, and from the
/// last eight bytes of others.
uint64_t key_of(std::string_view name) {
  const char* const at = name.data();
  const size_t size = name.size();
  uint64_t key = 0;
  if (size >= 8) {
    key = load<uint64_t>(at + size - 8);
  } else if (size >= 4) {
    key = load<uint32_t>(at) | uint64_t{load<uint32_t>(at + size - 4)} << 32;
  } else if (size > 0) {
    key = load<uint8_t>(at) | uint64_t{load<uint8_t>(at + size / 2)} << 8 |
          uint64_t{load<uint8_t>(at + size - 1)} << 16;
  }
  return key ^ uint64_t{size} << 56;
}

/// Owns the structures that the pointers of a SegmentField point to.
struct FieldReaders {
  InvertedField inverted;
  Column column;
  Bitset presence;
  VectorColumn vectors;
  CompletionWeights completions;
  std::optional<TermGrams> grams;
  SourcePoints points;
};

/// The row of a field in the fields section.
struct FieldRow {
  std::string name;
  FieldType type{};
  uint8_t flags = 0;
  bool has(FieldFlags flag) const { return (flags & flag) != 0; }
};

Status corrupt_segment(const std::string& what) {
  return {ErrorType::kCorrupt, "segment: " + what};
}

Status corrupt_field(const std::string& name, const std::string& what) {
  return corrupt_segment("field [" + name + "]: " + what);
}

FieldRow read_field_row(ByteReader& reader) {
  FieldRow row;
  row.name = std::string(reader.get_string());
  row.type = reader.get<FieldType>();
  row.flags = reader.get<uint8_t>();
  return row;
}

Status check_row(const FieldRow& row, const std::vector<SegmentField>& before) {
  if (static_cast<size_t>(row.type) >= kFieldTypeCount)
    return corrupt_field(row.name, "unknown type");
  const int ways = (row.has(kFieldColumn) ? 1 : 0) + (row.has(kFieldPresence) ? 1 : 0) +
                   (row.has(kFieldEverywhere) ? 1 : 0) + (row.has(kFieldVectors) ? 1 : 0);
  const bool built = row.has(kFieldVectorsBuilt);
  const bool vectors =
      field_traits(row.type).column == ColumnKind::kVector && !row.has(kFieldInverted);
  const bool sane = ways == 1 && (vectors || !row.has(kFieldVectors)) &&
                    (row.has(kFieldVectors) || !built) && (built || !row.has(kFieldVectorsFile));
  if (!sane) return corrupt_field(row.name, "impossible flags");
  if (!before.empty() && before.back().name >= row.name)
    return corrupt_field(row.name, "out of order");
  return {};
}

/// True when every value of the column is below `limit`.
bool ordinals_below(const Column& column, uint32_t limit) {
  const auto fits = [limit](int64_t value) { return value >= 0 && value < int64_t{limit}; };
  if (column.value_count() == 0) return true;
  if (column.multi_valued()) {
    for (uint32_t doc = 0; doc < column.max_doc(); doc++) {
      for (uint32_t i = 0; i < column.count(doc); i++) {
        if (!fits(column.value(doc, i))) return false;
      }
    }
    return true;
  }
  std::array<int64_t, kZoneDocs> values;
  for (uint32_t first = 0; first < column.max_doc(); first += kZoneDocs) {
    const uint32_t count = std::min(kZoneDocs, column.max_doc() - first);
    column.decode(first, count, 0, values.data());
    if (!std::all_of(values.begin(), values.begin() + count, fits)) return false;
  }
  return true;
}

Result<SectionFile> open_part(const ByteSource& source, FileKind kind, bool verify) {
  return SectionFile::open(source.bytes(), kind, verify, source.mapped());
}

class FileSegment final : public Segment {
 public:
  FileSegment(std::shared_ptr<ByteSource> data, std::shared_ptr<ByteSource> sidx,
              std::shared_ptr<ByteSource> ids, std::shared_ptr<ByteSource> vectors)
      : data_source_(std::move(data)),
        sidx_source_(std::move(sidx)),
        ids_source_(std::move(ids)),
        vectors_source_(std::move(vectors)) {}

  Status load(bool verify);
  /// Releases the pages that were read for the checksums; searches load the pages that they need
  /// again.
  void release_verified() const {
    if (data_source_->mapped()) release_pages(data_bytes());
    if (vectors_source_ != nullptr && vectors_source_->mapped()) release_pages(vectors_bytes());
  }

  uint32_t max_doc() const override { return max_doc_; }
  const SegmentField* field(std::string_view name) const override {
    if (fields_.size() <= kFewFields) {
      const uint64_t key = key_of(name);
      for (size_t i = 0; i < keys_.size(); i++) {
        if (keys_[i] == key && fields_[i].name == name) return &fields_[i];
      }
    } else {
      const auto at =
          std::lower_bound(fields_.begin(), fields_.end(), name,
                           [](const SegmentField& f, std::string_view n) { return f.name < n; });
      if (at != fields_.end() && at->name == name) return &*at;
    }
    return name.starts_with('_') ? version_columns_.find(name, ids_) : nullptr;
  }
  bool builds_field(std::string_view name) const override {
    return version_columns_.is_missing(name);
  }
  const std::vector<SegmentField>& fields() const override { return fields_; }
  const NestedDocs* nested() const override { return nested_ ? &*nested_ : nullptr; }
  const IdTable& ids() const override { return ids_; }
  const StoredSource& stored() const override { return stored_; }
  uint64_t min_seq_no() const override { return min_seq_no_; }
  uint64_t max_seq_no() const override { return max_seq_no_; }
  uint64_t bytes() const override {
    return data_bytes().size() + sidx_bytes().size() + ids_bytes().size() + vectors_bytes().size();
  }
  const std::string& vector_damage() const override { return vector_damage_; }
  bool wants_vectors_built() const override { return wants_vectors_built_; }
  VectorUsage vector_usage() const override { return vector_usage_; }
  bool mapped() const override { return data_source_->mapped(); }
  Bytes data_bytes() const override { return data_source_->bytes(); }
  Bytes sidx_bytes() const override { return sidx_source_->bytes(); }
  Bytes ids_bytes() const override { return ids_source_->bytes(); }

  void collect_present(const SegmentField& field, Bitset& out, StopCheck* stop) const override {
    if (field.present_everywhere) {
      out.unite(Bitset(max_doc_, true));
    } else if (field.presence != nullptr) {
      out.unite(*field.presence);
    } else if (field.column != nullptr) {
      field.column->collect_present(out, stop);
    } else if (field.vectors != nullptr) {
      for (uint32_t i = 0; i < field.vectors->size(); i++) out.set(field.vectors->doc(i));
    }
  }
  const Column* points(const SegmentField& field,
                       const std::function<bool()>& expired) const override {
    if (field.column != nullptr) return field.column;
    return readers_[static_cast<size_t>(&field - fields_.data())]->points.find(*this, field,
                                                                               expired);
  }
  const TermGrams* grams(const SegmentField& field) const override {
    const auto& held = readers_[static_cast<size_t>(&field - fields_.data())]->grams;
    return held ? &*held : nullptr;
  }

 private:
  Status load_documents();
  Status load_nested();
  Status load_fields(ByteReader& reader, uint32_t count, bool verify);
  Status load_field(const FieldRow& row, uint32_t ordinal, bool verify);
  Status load_column(const FieldRow& row, uint32_t ordinal, bool verify, SegmentField& field);
  Status load_completions(const FieldRow& row, uint32_t ordinal, SegmentField& field);
  Status load_grams(const FieldRow& row, uint32_t ordinal, const SegmentField& field);
  Status load_presence(const FieldRow& row, uint32_t ordinal, SegmentField& field);
  void load_vectors_file(bool verify);
  Status load_vectors(const FieldRow& row, uint32_t ordinal, SegmentField& field);
  void note_vector_damage(const std::string& what);
  Bytes vectors_bytes() const {
    return vectors_source_ == nullptr ? Bytes() : vectors_source_->bytes();
  }

  std::shared_ptr<ByteSource> data_source_;
  std::shared_ptr<ByteSource> sidx_source_;
  std::shared_ptr<ByteSource> ids_source_;
  std::shared_ptr<ByteSource> vectors_source_;  // may be null
  SectionFile data_;
  SectionFile sidx_;
  SectionFile id_file_;
  SectionFile vectors_;  // without sections when the file is absent or damaged
  std::string vector_damage_;
  bool wants_vectors_built_ = false;
  VectorUsage vector_usage_;
  uint32_t max_doc_ = 0;
  uint64_t min_seq_no_ = 0;
  uint64_t max_seq_no_ = 0;
  StoredSource stored_;
  IdTable ids_;
  std::optional<NestedDocs> nested_;
  mutable VersionColumns version_columns_;
  std::vector<SegmentField> fields_;  // by name
  std::vector<uint64_t> keys_;        // key_of() their names
  std::vector<std::unique_ptr<FieldReaders>> readers_;
};

Status FileSegment::load(bool verify) {
  QUARRY_ASSIGN_OR_RETURN(data_, open_part(*data_source_, FileKind::kData, verify));
  QUARRY_ASSIGN_OR_RETURN(sidx_, open_part(*sidx_source_, FileKind::kSidx, verify));
  QUARRY_ASSIGN_OR_RETURN(id_file_, open_part(*ids_source_, FileKind::kIds, verify));
  if (data_.segment_id() != sidx_.segment_id() || data_.segment_id() != id_file_.segment_id()) {
    return corrupt_segment("its files do not belong together");
  }
  load_vectors_file(verify);
  ByteReader reader(sidx_.find(SectionKind::kFields, kNoField));
  if (reader.get<uint32_t>() != kFieldsMagic)
    return corrupt_segment("wrong magic number in the field table");
  const auto version = reader.get<uint16_t>();
  if (version != kFieldsVersion && version != kNestedFieldsVersion)
    return corrupt_segment("field table of unknown version " + std::to_string(version));
  if (reader.get<uint16_t>() != 0)
    return corrupt_segment("reserved bytes of the field table are not zero");
  max_doc_ = reader.get<uint32_t>();
  const auto count = reader.get<uint32_t>();
  min_seq_no_ = reader.get<uint64_t>();
  max_seq_no_ = reader.get<uint64_t>();
  if (reader.failed() || max_doc_ == 0 || min_seq_no_ > max_seq_no_) {
    return corrupt_segment("impossible head of the field table");
  }
  QUARRY_RETURN_IF_ERROR(load_documents());
  QUARRY_RETURN_IF_ERROR(load_fields(reader, count, verify));
  return version == kNestedFieldsVersion ? load_nested() : Status();
}

Status FileSegment::load_nested() {
  const SegmentField* paths = field(kNestedPathField);
  if (paths == nullptr || paths->inverted == nullptr) {
    return corrupt_segment("the paths of its nested documents are missing");
  }
  QUARRY_ASSIGN_OR_RETURN(nested_, NestedDocs::read(*paths->inverted, max_doc_));
  return {};
}

Status FileSegment::load_documents() {
  const Bytes blocks = data_.find(SectionKind::kSourceBlocks, kNoField);
  const Bytes index = sidx_.find(SectionKind::kSourceIndex, kNoField);
  QUARRY_ASSIGN_OR_RETURN(stored_, StoredSource::open(blocks, index, max_doc_));
  QUARRY_ASSIGN_OR_RETURN(ids_, IdTable::open(id_file_.find(SectionKind::kIdTable, kNoField)));
  if (ids_.size() != max_doc_)
    return corrupt_segment("the id table has another number of documents");
  return {};
}

Status FileSegment::load_fields(ByteReader& reader, uint32_t count, bool verify) {
  for (uint32_t ordinal = 0; ordinal < count; ordinal++) {
    const FieldRow row = read_field_row(reader);
    if (reader.failed()) return corrupt_segment("the field table ends too early");
    QUARRY_RETURN_IF_ERROR(check_row(row, fields_));
    QUARRY_RETURN_IF_ERROR(load_field(row, ordinal, verify));
  }
  return reader.done() ? Status() : corrupt_segment("bytes after the field table");
}

Status FileSegment::load_field(const FieldRow& row, uint32_t ordinal, bool verify) {
  FieldReaders& readers = *readers_.emplace_back(std::make_unique<FieldReaders>());
  SegmentField field;
  field.name = row.name;
  field.type = row.type;
  if (row.has(kFieldInverted)) {
    auto inverted = InvertedField::open(sidx_.find(SectionKind::kTerms, ordinal),
                                        sidx_.find(SectionKind::kBlocks, ordinal),
                                        data_.find(SectionKind::kPostings, ordinal),
                                        data_.find(SectionKind::kPositions, ordinal), max_doc_);
    if (!inverted.ok()) return corrupt_field(row.name, inverted.status().reason());
    readers.inverted = std::move(*inverted);
    field.inverted = &readers.inverted;
  }
  if (row.has(kFieldNorms)) {
    const Bytes norms = data_.find(SectionKind::kNorms, ordinal);
    if (norms.size() != max_doc_) return corrupt_field(row.name, "norms of a wrong length");
    field.norms = norms.data();
  }
  QUARRY_RETURN_IF_ERROR(load_column(row, ordinal, verify, field));
  QUARRY_RETURN_IF_ERROR(load_completions(row, ordinal, field));
  QUARRY_RETURN_IF_ERROR(load_grams(row, ordinal, field));
  QUARRY_RETURN_IF_ERROR(load_vectors(row, ordinal, field));
  QUARRY_RETURN_IF_ERROR(load_presence(row, ordinal, field));
  keys_.push_back(key_of(field.name));
  fields_.push_back(std::move(field));
  return {};
}

Status FileSegment::load_column(const FieldRow& row, uint32_t ordinal, bool verify,
                                SegmentField& field) {
  if (!row.has(kFieldColumn)) return {};
  auto column = Column::open(data_.find(SectionKind::kColumn, ordinal), max_doc_);
  if (!column.ok()) return corrupt_field(row.name, column.status().reason());
  Column& held = readers_.back()->column;
  held = std::move(*column);
  // Ordinals are used as array indexes, so those of files are checked one by one.
  if (verify && field.inverted != nullptr &&
      !ordinals_below(held, field.inverted->terms().size())) {
    return corrupt_field(row.name, "an ordinal beyond the dictionary");
  }
  field.column = &held;
  field.present_everywhere = held.dense();
  return {};
}

Status FileSegment::load_completions(const FieldRow& row, uint32_t ordinal, SegmentField& field) {
  if (field_traits(row.type).term_section != TermSection::kWeights) return {};
  if (field.inverted == nullptr) return corrupt_field(row.name, "completions without terms");
  auto weights = CompletionWeights::open(sidx_.find(SectionKind::kCompletionWeights, ordinal),
                                         field.inverted->terms().size());
  if (!weights.ok()) return corrupt_field(row.name, weights.status().reason());
  readers_.back()->completions = std::move(*weights);
  field.completions = &readers_.back()->completions;
  return {};
}

Status FileSegment::load_grams(const FieldRow& row, uint32_t ordinal, const SegmentField& field) {
  const Bytes section = sidx_.find(SectionKind::kTermGrams, ordinal);
  if (section.empty()) return {};
  if (field.inverted == nullptr) return corrupt_field(row.name, "grams without terms");
  auto grams = TermGrams::open(section, field.inverted->terms().size());
  if (!grams.ok()) return corrupt_field(row.name, grams.status().reason());
  readers_.back()->grams = std::move(*grams);
  return {};
}

Status FileSegment::load_presence(const FieldRow& row, uint32_t ordinal, SegmentField& field) {
  if (row.has(kFieldEverywhere)) field.present_everywhere = true;
  if (!row.has(kFieldPresence)) return {};
  const Bytes bytes = data_.find(SectionKind::kPresence, ordinal);
  std::vector<uint64_t> words((size_t{max_doc_} + 63) / 64);
  if (bytes.size() != words.size() * sizeof(uint64_t)) {
    return corrupt_field(row.name, "presence of a wrong length");
  }
  std::copy(bytes.begin(), bytes.end(), reinterpret_cast<uint8_t*>(words.data()));
  readers_.back()->presence = Bitset(std::move(words), max_doc_);
  field.presence = &readers_.back()->presence;
  return {};
}

void FileSegment::note_vector_damage(const std::string& what) {
  if (vector_damage_.empty()) vector_damage_ = what;
  wants_vectors_built_ = true;
}

void FileSegment::load_vectors_file(bool verify) {
  if (vectors_source_ == nullptr) return;
  Result<SectionFile> file = open_part(*vectors_source_, FileKind::kVectors, verify);
  if (file.ok() && file->segment_id() != data_.segment_id()) {
    file = corrupt_segment("its vectors file belongs to another segment");
  }
  if (file.ok()) {
    vectors_ = std::move(*file);
  } else {
    note_vector_damage(file.status().reason());
  }
}

Status FileSegment::load_vectors(const FieldRow& row, uint32_t ordinal, SegmentField& field) {
  if (!row.has(kFieldVectors)) return {};
  if (row.has(kFieldVectorsFile) && vectors_.sections().empty()) {
    note_vector_damage("segment: its vectors file is missing");
  }
  VectorSectionViews views;
  views.head = sidx_.find(SectionKind::kVectorHead, ordinal);
  views.docs = data_.find(SectionKind::kVectorDocs, ordinal);
  views.rows = data_.find(SectionKind::kVectorRows, ordinal);
  views.full = vectors_.find(SectionKind::kVectorFull, ordinal);
  views.sketch = vectors_.find(SectionKind::kVectorSketch, ordinal);
  views.bounds = vectors_.find(SectionKind::kVectorBounds, ordinal);
  views.graph = vectors_.find(SectionKind::kVectorGraph, ordinal);
  auto column = VectorColumn::open(views, max_doc_);
  if (!column.ok()) return corrupt_field(row.name, column.status().reason());
  VectorColumn& held = readers_.back()->vectors;
  held = std::move(*column);
  field.vectors = &held;
  field.present_everywhere = held.dense();
  if (!held.derived_damage().empty()) {
    note_vector_damage("segment: field [" + row.name + "]: " + held.derived_damage());
  }
  vector_usage_.add({held.size(), held.row_bytes(), held.code_bytes(), held.graph_bytes()});
  if (!row.has(kFieldVectorsBuilt) && held.size() >= kMinVectorsForGraph) {
    wants_vectors_built_ = true;
  }
  return {};
}

Result<std::shared_ptr<const Segment>> open_files(std::shared_ptr<ByteSource> data,
                                                  std::shared_ptr<ByteSource> sidx,
                                                  std::shared_ptr<ByteSource> ids,
                                                  std::shared_ptr<ByteSource> vectors,
                                                  bool verify) {
  auto segment = std::make_shared<FileSegment>(std::move(data), std::move(sidx), std::move(ids),
                                               std::move(vectors));
  QUARRY_RETURN_IF_ERROR(segment->load(verify));
  segment->release_verified();
  return std::shared_ptr<const Segment>(std::move(segment));
}

}  // namespace

Result<std::shared_ptr<const Segment>> Segment::open(std::shared_ptr<ByteSource> data,
                                                     std::shared_ptr<ByteSource> sidx,
                                                     std::shared_ptr<ByteSource> ids,
                                                     std::shared_ptr<ByteSource> vectors) {
  return open_files(std::move(data), std::move(sidx), std::move(ids), std::move(vectors), true);
}

Result<std::shared_ptr<const Segment>> Segment::open(SegmentImage image) {
  return open_files(make_heap_source(std::move(image.data)),
                    make_heap_source(std::move(image.sidx)), make_heap_source(std::move(image.ids)),
                    image.vectors.empty() ? nullptr : make_heap_source(std::move(image.vectors)),
                    false);
}

Result<std::shared_ptr<const Segment>> open_unverified_segment(std::shared_ptr<ByteSource> data,
                                                               std::shared_ptr<ByteSource> sidx,
                                                               std::shared_ptr<ByteSource> ids) {
  return open_files(std::move(data), std::move(sidx), std::move(ids), nullptr, false);
}

}  // namespace quarry
