// The container that all files of a segment share: a header, sections at multiples of 64
// bytes, and a footer with the table of sections and their checksums. What is inside a section is
// its own reader's business.
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

/// Which of a segment's files this is; the number is on disk.
enum class FileKind : uint8_t { kData = 1, kSidx = 2, kIds = 3, kVectors = 4 };
std::string_view file_kind_name(FileKind kind);

/// What a section holds; the number is on disk, append only. Names are in section_file.cc.
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
  // Of a vector field: vector/vector_column.h. Those from kVectorFull on are made from kVectorRows,
  // and are in a file of their own, so that no damage to them is damage to documents.
  kVectorHead = 12,    // sidx
  kVectorDocs = 13,    // data
  kVectorRows = 14,    // data
  kVectorFull = 15,    // vectors
  kVectorSketch = 16,  // vectors
  kVectorBounds = 17,  // vectors
  kVectorGraph = 18,   // vectors
  kCompletionWeights = 19,  // sidx: segment/completion_weights.h
  kTermGrams = 20,          // sidx: postings/term_grams.h
};

/// Field ordinal of sections that belong to no field.
inline constexpr uint32_t kNoField = UINT32_MAX;

/// Makes the file of a segment to write to.
using FileMaker = std::function<Result<std::unique_ptr<WritableFile>>(FileKind)>;

/// Builds one file, in memory or straight on disk. Sections of one file: every (kind, field) at most
/// once.
class SectionFileWriter {
 public:
  /// With `make` sections are written as they come and not kept; the file is made with the first.
  explicit SectionFileWriter(FileKind kind, FileMaker make = {});
  /// Empty sections are not written; a reader that asks for one gets no bytes.
  void add(SectionKind kind, uint32_t field, std::vector<uint8_t> bytes);
  /// The next bytes of a section that comes piece by piece. Another section ends it.
  void append(SectionKind kind, uint32_t field, Bytes bytes);
  bool on_disk() const { return make_ != nullptr; }
  /// What went wrong with the file on disk. Nothing is written any more then.
  const Status& status() const { return status_; }
  /// A number that depends on everything added so far.
  uint64_t digest() const;
  bool empty() const { return rows_.empty(); }
  /// The file in memory. `segment_id` ties the files of one segment together. The writer is spent.
  std::vector<uint8_t> finish(uint64_t segment_id);
  /// The same on disk, synced and closed.
  Status finish_file(uint64_t segment_id);

 private:
  struct Row {
    SectionKind kind;
    uint32_t field;
    uint64_t offset;
    uint64_t length;
    uint32_t crc;
    std::vector<uint8_t> bytes;  // in memory alone
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
  std::vector<uint8_t> pending_;  // of the file on disk: what is too little for a write of its own
  uint64_t written_ = 0;          // with what is pending
  Status status_;
  uint64_t end_;  // of the sections so far
  std::vector<Row> rows_;
};

/// Something wrong with a file, as a finding of its own.
struct SectionDamage {
  std::string section;  // empty: none in particular
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
  /// Always checks that header, footer and table are sane and within the file. With `verify` also
  /// every checksum and that all bytes between sections are zero, so that no byte of the file can
  /// change unseen. Errors are ErrorType::kCorrupt and name file, section and offset. `mapped`: the
  /// pages that the checksums have read leave memory again, soon after they were read.
  static Result<SectionFile> open(Bytes file, FileKind kind, bool verify, bool mapped = false);
  /// Whether the last bytes of a file that was opened once are still those of the end of one: not if it was cut since then.
  static bool has_end(Bytes file);

  /// For offline checks: all that open() would refuse when it verifies, one finding for each section.
  static std::vector<SectionDamage> find_damage(Bytes file, FileKind kind, bool mapped);
  /// For salvage: the sections that the table still tells of, whatever is wrong with them or with anything else. None when
  /// there is no table. No checksum is looked at.
  static SectionFile open_remains(Bytes file);

  uint64_t segment_id() const { return segment_id_; }
  /// Ascending by kind, then field.
  const std::vector<Section>& sections() const { return sections_; }
  /// The bytes of a section, or none.
  Bytes find(SectionKind kind, uint32_t field) const;

 private:
  void sort_sections();

  uint64_t segment_id_ = 0;
  std::vector<Section> sections_;
};

}  // namespace quarry
