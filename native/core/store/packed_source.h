// The `_source` of every document in the fewest bytes that stay quick to read: small LZ4 blocks over a dictionary that the
// segment has in common, long arrays of numbers as bits (number_runs.h). What merges on disk write; read by StoredSource.
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
  /// A block is closed before its text grows beyond this; a longer document has one to itself.
  static constexpr uint32_t kTextBytes = 6144;
  /// And once its numbers take this.
  static constexpr uint32_t kRunBytes = 4096;

  /// `dictionary`: at most kLz4Window bytes; empty for none. With `sink` the blocks go there as they fill up, and finish() has
  /// none left.
  explicit PackedSourceWriter(std::string dictionary, ByteSink sink = {});
  PackedSourceWriter(const PackedSourceWriter&) = delete;
  PackedSourceWriter& operator=(const PackedSourceWriter&) = delete;
  /// Documents in docId order, one call each. At most 2^31 bytes each.
  void add(std::string_view source);
  /// All dictionaries of `stored`, for blocks of it; what their numbers grow by.
  uint32_t add_dictionaries(const StoredSource& stored);
  /// All documents of a packed block as the next ones, as they are. `added`: of its dictionaries.
  void add_block(const StoredBlock& block, uint32_t added);
  StoredSections finish();

 private:
  void close_block();
  void end_block();

  std::string dictionary_;
  Lz4Packer lz4_;
  NumberPacker numbers_;
  ByteSink sink_;
  uint64_t sunk_ = 0;            // bytes that went there
  std::vector<uint8_t> blocks_;  // those behind
  std::vector<uint64_t> offsets_{0};
  std::vector<uint32_t> first_docs_{0};
  std::vector<uint32_t> dictionary_ends_;
  std::vector<uint16_t> ends_;
  std::string dictionaries_;
  // The block being filled, and the document that comes next.
  std::string text_;
  std::vector<uint8_t> runs_;
  std::string next_text_;
  std::vector<uint8_t> next_runs_;
  std::vector<uint8_t> packed_;
};

}  // namespace quarry
