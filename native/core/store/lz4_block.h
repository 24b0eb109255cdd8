// LZ4 block format (lz4.org, raw blocks without a frame): the only place that knows the library.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/coding.h"

namespace quarry {

/// No block of the format can grow by more than this factor when it is decompressed.
inline constexpr uint64_t kLz4MaxExpansion = 255;
/// What a block can refer back to, and so the most that a dictionary is good for.
inline constexpr size_t kLz4Window = 65535;

/// Appends the block of `raw` to `out`. False, with `out` as it was, when the block would not be
/// smaller than `raw`.
bool lz4_compress(Bytes raw, std::vector<uint8_t>& out);

/// Decompresses `block`, which must fill `out` exactly. Any bytes are safe; malformed ones give
/// false. `dictionary`: the one that it was made with, at most kLz4Window bytes.
bool lz4_decompress(Bytes block, std::span<uint8_t> out, Bytes dictionary = {});

/// The first bytes of the block, as many as fill `out`, without what stands behind them; the block must have as many. Any
/// bytes are safe; what is malformed further on may stay unseen.
bool lz4_decompress_start(Bytes block, std::span<uint8_t> out, Bytes dictionary = {});

/// Makes blocks that refer to one dictionary, as if it stood in front of each: smaller ones than
/// lz4_compress, at a third of its speed.
class Lz4Packer {
 public:
  /// `dictionary` must outlive it.
  explicit Lz4Packer(Bytes dictionary);
  ~Lz4Packer();
  /// As lz4_compress.
  bool compress(Bytes raw, std::vector<uint8_t>& out);

 private:
  struct Streams;
  std::unique_ptr<Streams> streams_;
  bool loaded_ = false;  // there is a dictionary
};

}  // namespace quarry
