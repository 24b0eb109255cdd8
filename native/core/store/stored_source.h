// The `_source` of every document, byte for byte, in LZ4 blocks of about 16 KB.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/coding.h"
#include "base/file.h"
#include "base/status.h"

namespace quarry {

/// Sections: `blocks` (compressed, data file) and `index` (block table and document offsets, sidx
/// file).
struct StoredSections {
  std::vector<uint8_t> blocks;
  std::vector<uint8_t> index;
};

/// One block as it is stored. `bytes` are LZ4, or raw when they are as long as `raw_size`.
/// `ends`: u16 per document, where it ends in the raw block (see stored_source.cc).
struct StoredBlock {
  uint32_t first_doc = 0;
  uint32_t doc_count = 0;
  uint32_t raw_size = 0;
  Bytes bytes;
  Bytes ends;
};

class StoredSourceWriter {
 public:
  /// Blocks are closed before they grow beyond this; a longer document has one to itself.
  static constexpr uint32_t kBlockBytes = 16384;

  /// With `sink` the blocks go there as they fill up, and finish() has none left.
  explicit StoredSourceWriter(ByteSink sink = {});
  ~StoredSourceWriter();
  /// Documents in docId order, one call each. At most 2^31 bytes each.
  void add(std::string_view source);
  /// All documents of a block as the next ones, without decompressing; closes the block that add()
  /// has open.
  void add_block(const StoredBlock& block);
  StoredSections finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Reader; the sections' bytes must outlive it. Thread-safe.
class StoredSource {
 public:
  StoredSource() = default;
  static Result<StoredSource> open(Bytes blocks, Bytes index, uint32_t max_doc);
  /// Appends the source of `doc` to `out`. A block that does not decompress is ErrorType::kCorrupt.
  Status get(uint32_t doc, std::string& out) const;

  uint32_t block_count() const { return block_count_; }
  /// `index` < block_count().
  StoredBlock block(uint32_t index) const;

  /// Keeps the last decompressed block, for readers that go through neighbours (merge, fetch of a
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
  };

 private:
  struct Slice {
    uint32_t begin = 0;
    uint32_t end = 0;
  };
  uint32_t block_of(uint32_t doc) const;
  Result<Slice> slice(const StoredBlock& block, uint32_t doc) const;
  Status check_blocks() const;

  Bytes blocks_;
  uint32_t max_doc_ = 0;
  uint32_t block_count_ = 0;
  // Arrays of the index section, each of a size checked by open().
  const uint8_t* offsets_ = nullptr;     // u64, block_count + 1
  const uint8_t* first_docs_ = nullptr;  // u32, block_count + 1
  const uint8_t* raw_sizes_ = nullptr;   // u32, block_count
  const uint8_t* ends_ = nullptr;        // u16, max_doc
};

}  // namespace quarry
