// LZ4 block format (lz4.org, raw blocks without a frame). Only these functions use the LZ4 library.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/coding.h"

namespace quarry {

/// A block never grows by more than this factor when it is decompressed.
inline constexpr uint64_t kLz4MaxExpansion = 255;
/// The distance that a block can refer back to, and so the largest useful dictionary.
inline constexpr size_t kLz4Window = 65535;

/// Appends the block of `raw` to `out`. Returns false and leaves `out` unchanged when the block
/// would not be smaller than `raw`.
bool lz4_compress(Bytes raw, std::vector<uint8_t>& out);

/// Decompresses `block`, which must fill `out` exactly. Safe for any bytes; returns false for
/// malformed ones. `dictionary`: the one that the block was compressed with, at most kLz4Window
/// bytes.
bool lz4_decompress(Bytes block, std::span<uint8_t> out, Bytes dictionary = {});

/// Decompresses the beginning of the block until `out` is full; false when the block has fewer
/// bytes. Safe for any bytes; faults after that point may remain undetected.
bool lz4_decompress_start(Bytes block, std::span<uint8_t> out, Bytes dictionary = {});

/// Compresses blocks that refer to a common dictionary as if it preceded each of them. The blocks
/// are smaller than those of lz4_compress, at a third of its speed.
class Lz4Packer {
 public:
  /// `dictionary` must outlive the packer.
  explicit Lz4Packer(Bytes dictionary);
  ~Lz4Packer();
  /// As lz4_compress.
  bool compress(Bytes raw, std::vector<uint8_t>& out);

 private:
  struct Streams;
  std::unique_ptr<Streams> streams_;
  bool loaded_ = false;  // the dictionary is not empty
};

}  // namespace quarry
