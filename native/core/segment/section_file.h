// The container that all files of a segment share: a header, sections at multiples of 64
// bytes, and a footer with the table of sections and their checksums. What is inside a section is
// its own reader's business.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/coding.h"
#include "base/status.h"
#include "segment/file_pieces.h"

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
};

/// Field ordinal of sections that belong to no field.
inline constexpr uint32_t kNoField = UINT32_MAX;

/// Builds one file in memory. Sections of one file: every (kind, field) at most once.
class SectionFileWriter {
 public:
  explicit SectionFileWriter(FileKind kind);
  /// Empty sections are not written; a reader that asks for one gets no bytes.
  void add(SectionKind kind, uint32_t field, std::vector<uint8_t> bytes);
  /// A number that depends on everything added so far.
  uint64_t digest() const;
  bool empty() const { return rows_.empty(); }
  /// `segment_id` ties the files of one segment together. The writer is spent.
  FilePieces finish_pieces(uint64_t segment_id);
  /// The same in one buffer.
  std::vector<uint8_t> finish(uint64_t segment_id) { return finish_pieces(segment_id).join(); }

 private:
  struct Row {
    SectionKind kind;
    uint32_t field;
    uint64_t offset;
    uint32_t crc;
    std::vector<uint8_t> bytes;
  };
  FileKind kind_;
  uint64_t end_;  // of the sections so far
  std::vector<Row> rows_;
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
  /// change unseen. Errors are ErrorType::kCorrupt and name file, section and offset.
  static Result<SectionFile> open(Bytes file, FileKind kind, bool verify);

  uint64_t segment_id() const { return segment_id_; }
  /// Ascending by kind, then field.
  const std::vector<Section>& sections() const { return sections_; }
  /// The bytes of a section, or none.
  Bytes find(SectionKind kind, uint32_t field) const;

 private:
  uint64_t segment_id_ = 0;
  std::vector<Section> sections_;
};

}  // namespace quarry
