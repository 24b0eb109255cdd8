// Field lengths quantized to one byte, like Lucene's SmallFloat.intToByte4: exact up to 40, then 4
// significant bits.
#pragma once

#include <array>
#include <cstdint>

namespace quarry {

/// Encodes a length in tokens; monotonic, 255 is the largest value.
uint8_t encode_norm(uint32_t length) noexcept;
/// The length that a norm byte represents.
uint32_t decode_norm(uint8_t norm) noexcept;
/// The results of decode_norm for all bytes, for score tables.
const std::array<uint32_t, 256>& norm_lengths() noexcept;

}  // namespace quarry
