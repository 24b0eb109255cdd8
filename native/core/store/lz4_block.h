// LZ4 block format (lz4.org, raw blocks without a frame): the only place that knows the library.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/coding.h"

namespace quarry {

/// No block of the format can grow by more than this factor when it is decompressed.
inline constexpr uint64_t kLz4MaxExpansion = 255;

/// Appends the block of `raw` to `out`. False, with `out` as it was, when the block would not be
/// smaller than `raw`.
bool lz4_compress(Bytes raw, std::vector<uint8_t>& out);

/// Decompresses `block`, which must fill `out` exactly. Any bytes are safe; malformed ones give
/// false.
bool lz4_decompress(Bytes block, std::span<uint8_t> out);

}  // namespace quarry
