// The `_source` of every document, byte for byte: in LZ4 blocks of about 16 KB when written by a
// flush, packed (packed_source.h) when written by a merge on disk.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/coding.h"
#include "base/file.h"
#include "base/status.h"
#include "store/number_runs.h"

namespace quarry {

/// Sections: `blocks` (compressed, data file) and `index` (block table and document offsets, sidx
/// file).
struct StoredSections {
  std::vector<uint8_t> blocks;
  std::vector<uint8_t> index;
};

/// One block as it is stored. `bytes` are LZ4, or raw when their length equals `raw_size`. `ends`:
/// for each document as u16, where it ends in the raw block (see stored_source.cc).
struct StoredBlock {
  uint32_t first_doc = 0;
  uint32_t doc_count = 0;
  uint32_t raw_size = 0;
  Bytes bytes;
  Bytes ends;
  // For packed sources: the runs of numbers removed from the text, and the number of the
  // dictionary, 0 for none.
  Bytes runs;
  uint32_t dictionary = 0;
};

class StoredSourceWriter {
 public:
  /// A block is closed before it exceeds this size; a longer document has a block of its own.
  static constexpr uint32_t kBlockBytes = 16384;

  /// With `sink`, blocks are passed to it as they are completed, and finish() returns none.
  explicit StoredSourceWriter(ByteSink sink = {});
  ~StoredSourceWriter();
  /// To be called once per document in docId order; at most 2^31 bytes each.
  void add(std::string_view source);
  /// Adds all documents of a block as the next ones, without decompressing. Closes the block that
  /// add() has open.
  void add_block(const StoredBlock& block);
  StoredSections finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Reader of the sections of StoredSourceWriter and PackedSourceWriter; their bytes must outlive
/// it. Thread-safe.
class StoredSource {
 public:
  StoredSource() = default;
  static Result<StoredSource> open(Bytes blocks, Bytes index, uint32_t max_doc);
  /// Appends the source of `doc` to `out`. A block that does not decompress is ErrorType::kCorrupt.
  Status get(uint32_t doc, std::string& out) const;

  uint32_t block_count() const { return block_count_; }
  uint32_t max_doc() const { return max_doc_; }
  /// The bytes of all blocks.
  uint64_t stored_bytes() const { return blocks_.size(); }
  /// True when the sections were written by a PackedSourceWriter.
  bool packed() const { return packed_; }
  /// `index` < block_count(). The block has no documents when it cannot be read.
  StoredBlock block(uint32_t index) const;
  uint32_t dictionary_count() const { return dictionary_count_; }
  /// `number`: 1 .. dictionary_count().
  Bytes dictionary(uint32_t number) const;

  /// For salvage: the index at the beginning of `bytes`; empty when there is none.
  static Bytes find_index(Bytes bytes);
  /// For salvage: a reader with this index and without blocks.
  static StoredSource of_index(Bytes index);
  /// For salvage: sets the blocks to other bytes, which may be cut, or may not be blocks at all.
  void try_blocks(Bytes blocks) { blocks_ = blocks; }
  /// The length of all blocks according to the index.
  uint64_t expected_bytes() const;

  /// Keeps the last decompressed block, for callers that read adjacent documents (merge, fetch of a
  /// page).
  class Cursor {
   public:
    explicit Cursor(const StoredSource& stored) : stored_(&stored) {}
    /// The view is valid until the next call.
    Result<std::string_view> get(uint32_t doc);

   private:
    const StoredSource* stored_;
    uint32_t block_ = UINT32_MAX;
    std::vector<uint8_t> bytes_;
    std::string document_;
    NumberUnpacker unpacker_{{}};
    // Offset in the text of the block; the runs of marks before it were consumed from unpacker_.
    uint32_t unpacked_ = 0;
  };

 private:
  struct Slice {
    uint32_t begin = 0;
    uint32_t end = 0;
  };
  Status read_index(Bytes index);
  Status check_blocks() const;
  Status check_dictionaries() const;
  bool read_head(Bytes bytes, StoredBlock& block) const;
  uint32_t block_of(uint32_t doc) const;
  Result<Slice> slice(const StoredBlock& block, uint32_t doc) const;
  /// The dictionary of a packed block; empty when it was compressed without one.
  Bytes dictionary_of(const StoredBlock& block) const;

  Bytes blocks_;
  size_t index_bytes_ = 0;
  bool packed_ = false;
  uint32_t max_doc_ = 0;
  uint32_t block_count_ = 0;
  uint32_t dictionary_count_ = 0;
  const uint8_t* offsets_ = nullptr;
  const uint8_t* first_docs_ = nullptr;
  const uint8_t* raw_sizes_ = nullptr;  // null when packed
  const uint8_t* ends_ = nullptr;
  const uint8_t* dictionary_ends_ = nullptr;
  Bytes dictionaries_;
};

}  // namespace quarry
