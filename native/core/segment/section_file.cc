// Format. All integers little-endian.
//
// header, 64 bytes:
//   u32 magic "QSEG", u16 version 1, u8 file kind, u8 zero
//   u64 segment id, the same in all files of a segment
//   44 bytes zero
//   u32 crc32c of the 60 bytes before
// sections, each at a multiple of 64, zero bytes between them
// section table, at a multiple of 64, ascending by offset, 32 bytes a row:
//   u16 section kind, u16 zero, u32 field ordinal (kNoField: none), u64 offset, u64 length (> 0)
//   u32 crc32c of the section, u32 zero
// tail, 32 bytes, the end of the file:
//   u64 offset of the table, u32 rows, u32 crc32c of the table
//   u64 length of the file
//   u32 crc32c of the 24 bytes before, u32 magic "GESQ"
//
// Every byte is protected: by a checksum, as padding that must be zero, or as one of the two magic
// numbers.
#include "segment/section_file.h"

#include <algorithm>
#include <utility>

#include "base/coding.h"
#include "base/crc32c.h"
#include "base/hash.h"
#include "base/page_cache.h"

namespace quarry {
namespace {

constexpr uint32_t kHeadMagic = 0x47455351;  // "QSEG"
constexpr uint32_t kTailMagic = 0x51534547;  // "GESQ"
constexpr uint16_t kSectionVersion = 1;
constexpr size_t kSectionAlignment = 64;
constexpr size_t kHeaderBytes = 64;
constexpr size_t kRowBytes = 32;
constexpr size_t kTailBytes = 32;
/// Bytes are collected up to this size before they are written.
constexpr size_t kPendingBytes = size_t{256} << 10;
/// Large sections are written in pieces, so that each write call stays short.
constexpr size_t kWriteBytes = size_t{8} << 20;
/// Bytes of a mapping that are read between two releases of its pages.
constexpr size_t kVerifyBytes = size_t{4} << 20;

constexpr std::string_view kSectionNames[] = {"",
                                              "fields",
                                              "terms",
                                              "blocks",
                                              "postings",
                                              "positions",
                                              "column",
                                              "norms",
                                              "presence",
                                              "source_blocks",
                                              "source_index",
                                              "id_table",
                                              "vector_head",
                                              "vector_docs",
                                              "vector_rows",
                                              "vector_full",
                                              "vector_sketch",
                                              "vector_bounds",
                                              "vector_graph",
                                              "completion_weights",
                                              "term_grams"};

bool known(SectionKind kind) {
  const auto number = static_cast<size_t>(kind);
  return number > 0 && number < std::size(kSectionNames);
}

/// Makes the error messages of one file, and collects them as findings if requested.
class Reporter {
 public:
  explicit Reporter(FileKind kind, std::vector<SectionDamage>* findings = nullptr)
      : kind_(kind), findings_(findings) {}
  Status file(std::string_view what, uint64_t offset) const { return make({}, what, offset); }
  Status section(SectionKind kind, uint32_t field, std::string_view what, uint64_t offset) const {
    std::string name(known(kind) ? kSectionNames[static_cast<size_t>(kind)] : "unknown");
    if (field != kNoField) name += " of field " + std::to_string(field);
    return make(name, what, offset);
  }

 private:
  Status make(std::string_view section, std::string_view what, uint64_t offset) const {
    if (findings_ != nullptr) {
      findings_->push_back({std::string(section), offset, std::string(what)});
    }
    std::string reason = "segment file [";
    reason += file_kind_name(kind_);
    reason += "]";
    if (!section.empty()) reason.append(", section [").append(section).append("]");
    reason.append(", offset ").append(std::to_string(offset)).append(": ").append(what);
    return {ErrorType::kCorrupt, std::move(reason)};
  }

  FileKind kind_;
  std::vector<SectionDamage>* findings_;
};

uint64_t aligned(uint64_t offset) {
  return (offset + kSectionAlignment - 1) & ~(kSectionAlignment - 1);
}

struct Tail {
  uint64_t table_offset = 0;
  uint32_t rows = 0;
  uint32_t table_crc = 0;
};

Result<uint64_t> read_header(Bytes file, FileKind kind, const Reporter& report) {
  if (file.size() < kHeaderBytes + kTailBytes)
    return report.file("the file is too short", file.size());
  const Bytes header = file.first(kHeaderBytes);
  ByteReader reader(header);
  if (reader.get<uint32_t>() != kHeadMagic) return report.file("wrong magic number", 0);
  const auto version = reader.get<uint16_t>();
  if (crc32c(header.first(kHeaderBytes - 4)) != load<uint32_t>(header.data() + kHeaderBytes - 4)) {
    return report.file("the header has a wrong checksum", kHeaderBytes - 4);
  }
  if (version != kSectionVersion) {
    return report.file("version " + std::to_string(version) + " is not known here", 4);
  }
  if (reader.get<uint8_t>() != static_cast<uint8_t>(kind))
    return report.file("another kind of file", 6);
  reader.get<uint8_t>();
  return reader.get<uint64_t>();
}

Result<Tail> read_tail(Bytes file, const Reporter& report) {
  const uint64_t at = file.size() - kTailBytes;
  const Bytes bytes = file.subspan(at);
  ByteReader reader(bytes);
  Tail tail;
  tail.table_offset = reader.get<uint64_t>();
  tail.rows = reader.get<uint32_t>();
  tail.table_crc = reader.get<uint32_t>();
  const auto length = reader.get<uint64_t>();
  const auto crc = reader.get<uint32_t>();
  if (reader.get<uint32_t>() != kTailMagic)
    return report.file("the end of the file is missing", at);
  if (crc32c(bytes.first(24)) != crc) return report.file("the tail has a wrong checksum", at);
  if (length != file.size()) return report.file("the file has another length than it says", at);
  const uint64_t table_bytes = uint64_t{tail.rows} * kRowBytes;
  const bool placed = tail.table_offset % kSectionAlignment == 0 &&
                      tail.table_offset >= kHeaderBytes && tail.table_offset <= at &&
                      at - tail.table_offset == table_bytes;
  if (!placed) return report.file("the section table is out of place", at);
  return tail;
}

struct Row {
  SectionKind kind;
  uint32_t field;
  uint64_t offset;
  uint64_t length;
  uint32_t crc;
};

/// Reads the row at `row_offset`, whose section must lie within [begin, end).
Result<Row> read_row(Bytes file, uint64_t row_offset, uint64_t begin, uint64_t end,
                     const Reporter& report) {
  ByteReader reader(file.subspan(row_offset, kRowBytes));
  Row row;
  row.kind = reader.get<SectionKind>();
  const auto reserved = reader.get<uint16_t>();
  row.field = reader.get<uint32_t>();
  row.offset = reader.get<uint64_t>();
  row.length = reader.get<uint64_t>();
  row.crc = reader.get<uint32_t>();
  const bool sane = reserved == 0 && reader.get<uint32_t>() == 0 && known(row.kind) &&
                    row.length > 0 && row.offset % kSectionAlignment == 0 && row.offset >= begin &&
                    row.offset <= end && row.length <= end - row.offset;
  if (sane) return row;
  return report.section(row.kind, row.field, "its row in the table makes no sense", row_offset);
}

/// Releases the pages of a mapping after reading them, as a file may be larger than memory.
uint32_t checksum(Bytes section, bool mapped) {
  uint32_t crc = 0;
  while (!section.empty()) {
    const Bytes piece = section.first(std::min(section.size(), kVerifyBytes));
    crc = crc32c(piece, crc);
    if (mapped) release_pages(piece);
    section = section.subspan(piece.size());
  }
  return crc;
}

/// Verifies the checksum of a section, and that all bytes between the previous section and this one
/// are zero.
Status verify_section(Bytes file, const Row& row, uint64_t end_before, bool mapped,
                      const Reporter& report) {
  if (checksum(file.subspan(row.offset, row.length), mapped) != row.crc) {
    return report.section(row.kind, row.field, "wrong checksum", row.offset);
  }
  if (all_zero(file.subspan(end_before, row.offset - end_before))) return {};
  return report.file("bytes between sections are not zero", end_before);
}

uint64_t key(SectionKind kind, uint32_t field) { return static_cast<uint64_t>(kind) << 32 | field; }

}  // namespace

std::string_view file_kind_name(FileKind kind) {
  switch (kind) {
    case FileKind::kData:
      return "data";
    case FileKind::kSidx:
      return "sidx";
    case FileKind::kIds:
      return "ids";
    case FileKind::kVectors:
      return "vectors";
  }
  return "unknown";
}

SectionFileWriter::SectionFileWriter(FileKind kind, FileMaker make)
    : kind_(kind), make_(std::move(make)), end_(kHeaderBytes) {}

/// The row of the section that is being written.
SectionFileWriter::Row& SectionFileWriter::row_of(SectionKind kind, uint32_t field) {
  if (rows_.empty() || rows_.back().kind != kind || rows_.back().field != field) {
    rows_.push_back({kind, field, aligned(end_), 0, 0, {}});
    end_ = rows_.back().offset;
  }
  return rows_.back();
}

void SectionFileWriter::add(SectionKind kind, uint32_t field, std::vector<uint8_t> bytes) {
  if (bytes.empty()) return;
  if (on_disk()) return append(kind, field, bytes);
  Row& row = row_of(kind, field);
  row.length = bytes.size();
  row.crc = crc32c(bytes);
  row.bytes = std::move(bytes);
  end_ += row.length;
}

void SectionFileWriter::append(SectionKind kind, uint32_t field, Bytes bytes) {
  if (bytes.empty()) return;
  Row& row = row_of(kind, field);
  row.length += bytes.size();
  row.crc = crc32c(bytes, row.crc);
  if (on_disk()) {
    write_padding(end_);
    write(bytes);
  } else {
    row.bytes.insert(row.bytes.end(), bytes.begin(), bytes.end());
  }
  end_ += bytes.size();
}

/// Also used for the header, whose place is reserved until its content can be written.
void SectionFileWriter::write_padding(uint64_t upto) {
  static constexpr uint8_t kZeros[kHeaderBytes] = {};
  static_assert(kHeaderBytes >= kSectionAlignment);
  write(Bytes(kZeros, upto - written_));
}

void SectionFileWriter::write(Bytes bytes) {
  written_ += bytes.size();
  if (pending_.size() + bytes.size() > kPendingBytes) {
    write_out(pending_);
    pending_.clear();
  }
  if (bytes.size() > kPendingBytes) return write_out(bytes);
  pending_.insert(pending_.end(), bytes.begin(), bytes.end());
}

void SectionFileWriter::write_out(Bytes bytes) {
  if (status_.ok() && file_ == nullptr) {
    auto made = make_(kind_);
    if (made.ok()) {
      file_ = std::move(*made);
    } else {
      status_ = made.status();
    }
  }
  while (status_.ok() && !bytes.empty()) {
    const Bytes piece = bytes.first(std::min(bytes.size(), kWriteBytes));
    status_ = file_->append(piece);
    bytes = bytes.subspan(piece.size());
  }
}

uint64_t SectionFileWriter::digest() const {
  ByteWriter sums;
  for (const Row& row : rows_) {
    sums.put(row.kind);
    sums.put(row.field);
    sums.put(row.length);
    sums.put(row.crc);
  }
  return hash64(as_text(sums.view()));
}

std::vector<uint8_t> SectionFileWriter::header(uint64_t segment_id) const {
  ByteWriter out;
  out.put(kHeadMagic);
  out.put(kSectionVersion);
  out.put(kind_);
  out.put(uint8_t{0});
  out.put(segment_id);
  while (out.size() < kHeaderBytes - 4) out.put(uint8_t{0});
  out.put(crc32c(out.view()));
  return out.take();
}

std::vector<uint8_t> SectionFileWriter::table_and_tail() const {
  ByteWriter table;
  for (const Row& row : rows_) {
    table.put(row.kind);
    table.put(uint16_t{0});
    table.put(row.field);
    table.put(row.offset);
    table.put(row.length);
    table.put(row.crc);
    table.put(uint32_t{0});
  }
  const uint64_t table_offset = aligned(end_);
  ByteWriter tail;
  tail.put(table_offset);
  tail.put(static_cast<uint32_t>(rows_.size()));
  tail.put(crc32c(table.view()));
  tail.put(static_cast<uint64_t>(table_offset + table.size() + kTailBytes));
  tail.put(crc32c(tail.view()));
  tail.put(kTailMagic);
  table.put_bytes(tail.view());
  return table.take();
}

std::vector<uint8_t> SectionFileWriter::finish(uint64_t segment_id) {
  const std::vector<uint8_t> end = table_and_tail();
  std::vector<uint8_t> out;
  out.reserve(aligned(end_) + end.size());
  const std::vector<uint8_t> start = header(segment_id);
  out.insert(out.end(), start.begin(), start.end());
  for (Row& row : rows_) {
    out.resize(row.offset);
    out.insert(out.end(), row.bytes.begin(), row.bytes.end());
    row.bytes = {};  // freed as soon as it is copied
  }
  out.resize(aligned(end_));
  out.insert(out.end(), end.begin(), end.end());
  return out;
}

Status SectionFileWriter::finish_file(uint64_t segment_id) {
  write_padding(aligned(end_));
  write(table_and_tail());
  write_out(pending_);
  QUARRY_RETURN_IF_ERROR(status_);
  QUARRY_RETURN_IF_ERROR(file_->overwrite_start(header(segment_id)));
  QUARRY_RETURN_IF_ERROR(file_->sync());
  return file_->close();
}

Result<SectionFile> SectionFile::open(Bytes file, FileKind kind, bool verify, bool mapped) {
  const Reporter report(kind);
  SectionFile opened;
  QUARRY_ASSIGN_OR_RETURN(opened.segment_id_, read_header(file, kind, report));
  QUARRY_ASSIGN_OR_RETURN(const Tail tail, read_tail(file, report));
  const Bytes table = file.subspan(tail.table_offset, size_t{tail.rows} * kRowBytes);
  if (verify && crc32c(table) != tail.table_crc) {
    return report.file("the section table has a wrong checksum", tail.table_offset);
  }
  uint64_t end = kHeaderBytes;
  for (uint32_t i = 0; i < tail.rows; i++) {
    const uint64_t row_offset = tail.table_offset + size_t{i} * kRowBytes;
    QUARRY_ASSIGN_OR_RETURN(const Row row,
                            read_row(file, row_offset, end, tail.table_offset, report));
    if (verify) QUARRY_RETURN_IF_ERROR(verify_section(file, row, end, mapped, report));
    opened.sections_.push_back({row.kind, row.field, file.subspan(row.offset, row.length)});
    end = row.offset + row.length;
  }
  if (verify && !all_zero(file.subspan(end, tail.table_offset - end))) {
    return report.file("bytes between sections are not zero", end);
  }
  opened.sort_sections();
  return opened;
}

bool SectionFile::has_end(Bytes file) {
  return load<uint32_t>(file.data() + file.size() - sizeof(kTailMagic)) == kTailMagic;
}

void SectionFile::sort_sections() {
  std::sort(sections_.begin(), sections_.end(), [](const Section& a, const Section& b) {
    return key(a.kind, a.field) < key(b.kind, b.field);
  });
}

std::vector<SectionDamage> SectionFile::find_damage(Bytes file, FileKind kind, bool mapped) {
  std::vector<SectionDamage> found;
  const Reporter report(kind, &found);
  if (!read_header(file, kind, report).ok() && file.size() < kHeaderBytes + kTailBytes)
    return found;
  const Result<Tail> tail = read_tail(file, report);
  if (!tail.ok()) return found;
  const Bytes table = file.subspan(tail->table_offset, size_t{tail->rows} * kRowBytes);
  if (crc32c(table) != tail->table_crc) {
    static_cast<void>(report.file("the section table has a wrong checksum", tail->table_offset));
  }
  uint64_t end = kHeaderBytes;
  for (uint32_t i = 0; i < tail->rows; i++) {
    const uint64_t row_offset = tail->table_offset + size_t{i} * kRowBytes;
    const Result<Row> row = read_row(file, row_offset, end, tail->table_offset, report);
    if (!row.ok()) return found;
    static_cast<void>(verify_section(file, *row, end, mapped, report));
    end = row->offset + row->length;
  }
  if (!all_zero(file.subspan(end, tail->table_offset - end))) {
    static_cast<void>(report.file("bytes between sections are not zero", end));
  }
  return found;
}

SectionFile SectionFile::open_remains(Bytes file) {
  const Reporter report(FileKind::kData);
  SectionFile opened;
  if (file.size() < kHeaderBytes + kTailBytes) return opened;
  const Result<Tail> tail = read_tail(file, report);
  for (uint32_t i = 0; tail.ok() && i < tail->rows; i++) {
    const uint64_t row_offset = tail->table_offset + size_t{i} * kRowBytes;
    const Result<Row> row = read_row(file, row_offset, kHeaderBytes, tail->table_offset, report);
    if (!row.ok()) continue;
    opened.sections_.push_back({row->kind, row->field, file.subspan(row->offset, row->length)});
  }
  opened.sort_sections();
  return opened;
}

Bytes SectionFile::find(SectionKind kind, uint32_t field) const {
  const auto at = std::lower_bound(sections_.begin(), sections_.end(), key(kind, field),
                                   [](const Section& section, uint64_t wanted) {
                                     return key(section.kind, section.field) < wanted;
                                   });
  if (at == sections_.end() || at->kind != kind || at->field != field) return {};
  return at->bytes;
}

}  // namespace quarry
