// The container format of all files of a segment: a header, sections at multiples of 64 bytes, and
// a footer with the table of sections and their checksums. The content of a section is defined by
// its reader.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/coding.h"
#include "base/file.h"
#include "base/status.h"

namespace quarry {

/// The kind of a segment's file. The numbers are stored on disk.
enum class FileKind : uint8_t { kData = 1, kSidx = 2, kIds = 3, kVectors = 4 };
std::string_view file_kind_name(FileKind kind);

/// The content of a section. The numbers are stored on disk and append only. Names are in
/// section_file.cc.
enum class SectionKind : uint16_t {
  kFields = 1,        // sidx: documents, sequence numbers, field table (segment_writer.cc)
  kTerms = 2,         // sidx: postings/
  kBlocks = 3,        // sidx: postings/
  kPostings = 4,      // data: postings/
  kPositions = 5,     // data: postings/
  kColumn = 6,        // data: columns/
  kNorms = 7,         // data: one byte per document
  kPresence = 8,      // data: u64 words of a bit set over the documents
  kSourceBlocks = 9,  // data: store/
  kSourceIndex = 10,  // sidx: store/
  kIdTable = 11,      // ids: store/
  // Sections of a vector field: vector/vector_column.h. Those from kVectorFull on are derived from
  // kVectorRows and stored in a separate file, so that damage to them never affects documents.
  kVectorHead = 12,         // sidx
  kVectorDocs = 13,         // data
  kVectorRows = 14,         // data
  kVectorFull = 15,         // vectors
  kVectorSketch = 16,       // vectors
  kVectorBounds = 17,       // vectors
  kVectorGraph = 18,        // vectors
  kCompletionWeights = 19,  // sidx: segment/completion_weights.h
  kTermGrams = 20,          // sidx: postings/term_grams.h
};

/// Field ordinal of sections that belong to no field.
inline constexpr uint32_t kNoField = UINT32_MAX;

/// Creates a file of the segment for writing.
using FileMaker = std::function<Result<std::unique_ptr<WritableFile>>(FileKind)>;

/// Builds one file, in memory or directly on disk. Each (kind, field) may occur at most once in a
/// file.
class SectionFileWriter {
 public:
  /// With `make`, sections are written to disk as they are added; the file is created with the
  /// first one.
  explicit SectionFileWriter(FileKind kind, FileMaker make = {});
  /// Empty sections are not written; a reader that requests one gets no bytes.
  void add(SectionKind kind, uint32_t field, std::vector<uint8_t> bytes);
  /// Appends to a section that is added in pieces. Adding another section ends it.
  void append(SectionKind kind, uint32_t field, Bytes bytes);
  bool on_disk() const { return make_ != nullptr; }
  /// The first error of the file on disk; after an error nothing more is written.
  const Status& status() const { return status_; }
  /// A number computed from everything added so far.
  uint64_t digest() const;
  bool empty() const { return rows_.empty(); }
  /// Returns the file in memory. `segment_id` is the same in all files of a segment. The writer
  /// must not be used afterwards.
  std::vector<uint8_t> finish(uint64_t segment_id);
  /// As finish(), for a file on disk, which is synced and closed.
  Status finish_file(uint64_t segment_id);

 private:
  struct Row {
    SectionKind kind;
    uint32_t field;
    uint64_t offset;
    uint64_t length;
    uint32_t crc;
    std::vector<uint8_t> bytes;  // only when in memory
  };
  Row& row_of(SectionKind kind, uint32_t field);
  void write(Bytes bytes);
  void write_padding(uint64_t upto);
  void write_out(Bytes bytes);
  std::vector<uint8_t> header(uint64_t segment_id) const;
  std::vector<uint8_t> table_and_tail() const;

  FileKind kind_;
  FileMaker make_;
  std::unique_ptr<WritableFile> file_;
  std::vector<uint8_t> pending_;  // bytes to be written to disk with the next piece
  uint64_t written_ = 0;          // including pending_
  Status status_;
  uint64_t end_;  // end of the sections so far
  std::vector<Row> rows_;
};

/// One fault of a file.
struct SectionDamage {
  std::string section;  // empty: no section in particular
  uint64_t offset = 0;
  std::string what;
};

/// Reader; the file's bytes must outlive it. Thread-safe.
class SectionFile {
 public:
  struct Section {
    SectionKind kind;
    uint32_t field;
    Bytes bytes;
  };

  SectionFile() = default;
  /// Always checks that header, footer and table are consistent and within the file. With `verify`
  /// also checks every checksum, and that all bytes between sections are zero, so that a change of
  /// any byte is detected. Errors are ErrorType::kCorrupt and name file, section and offset.
  /// `mapped`: pages are released from memory soon after they were read for a checksum.
  static Result<SectionFile> open(Bytes file, FileKind kind, bool verify, bool mapped = false);
  /// Whether `file`, which was opened before, still ends like a complete file; false when it was
  /// cut since then.
  static bool has_end(Bytes file);

  /// For offline checks: all faults that open() would report when it verifies, one per section.
  static std::vector<SectionDamage> find_damage(Bytes file, FileKind kind, bool mapped);
  /// For salvage: the sections according to the table, without verifying any checksum or other
  /// part. Empty when there is no table.
  static SectionFile open_remains(Bytes file);

  uint64_t segment_id() const { return segment_id_; }
  /// Ascending by kind, then by field.
  const std::vector<Section>& sections() const { return sections_; }
  /// The bytes of a section; empty when it does not exist.
  Bytes find(SectionKind kind, uint32_t field) const;

 private:
  void sort_sections();

  uint64_t segment_id_ = 0;
  std::vector<Section> sections_;
};

}  // namespace quarry
