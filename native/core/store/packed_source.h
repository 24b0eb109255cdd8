// Writer of the compact format of `_source`, which merges on disk use: small LZ4 blocks with a
// dictionary shared by the segment, and long arrays of numbers as bits (number_runs.h). Compact,
// but still fast to read. StoredSource is the reader.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/file.h"
#include "store/lz4_block.h"
#include "store/number_runs.h"
#include "store/stored_source.h"

namespace quarry {

class PackedSourceWriter {
 public:
  /// A block is closed before its text exceeds this size; a longer document has a block of its own.
  static constexpr uint32_t kTextBytes = 6144;
  /// A block is also closed when its runs reach this size.
  static constexpr uint32_t kRunBytes = 4096;

  /// `dictionary`: at most kLz4Window bytes; may be empty. With `sink`, blocks are passed to it as
  /// they are completed, and finish() returns none.
  explicit PackedSourceWriter(std::string dictionary, ByteSink sink = {});
  PackedSourceWriter(const PackedSourceWriter&) = delete;
  PackedSourceWriter& operator=(const PackedSourceWriter&) = delete;
  /// To be called once per document in docId order; at most 2^31 bytes each.
  void add(std::string_view source);
  /// Adds all dictionaries of `stored`, so that its blocks can be added. Returns the offset to add
  /// to their numbers.
  uint32_t add_dictionaries(const StoredSource& stored);
  /// Adds all documents of a packed block as the next ones, without unpacking. `added`: the result
  /// of add_dictionaries().
  void add_block(const StoredBlock& block, uint32_t added);
  StoredSections finish();

 private:
  void close_block();
  void end_block();

  std::string dictionary_;
  Lz4Packer lz4_;
  NumberPacker numbers_;
  ByteSink sink_;
  uint64_t sunk_ = 0;            // bytes passed to sink_
  std::vector<uint8_t> blocks_;  // blocks not passed to sink_ yet
  std::vector<uint64_t> offsets_{0};
  std::vector<uint32_t> first_docs_{0};
  std::vector<uint32_t> dictionary_ends_;
  std::vector<uint16_t> ends_;
  std::string dictionaries_;
  // The block being filled, and the next document.
  std::string text_;
  std::vector<uint8_t> runs_;
  std::string next_text_;
  std::vector<uint8_t> next_runs_;
  std::vector<uint8_t> packed_;
};

}  // namespace quarry
