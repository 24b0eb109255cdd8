// Field lengths quantised to one byte, as Lucene's SmallFloat.intToByte4 does: exact up to 40, then
// 4 significant bits.
#pragma once

#include <array>
#include <cstdint>

namespace quarry {

/// Length in tokens to its norm byte; monotonic, 255 is the largest.
uint8_t encode_norm(uint32_t length) noexcept;
/// The length a norm byte stands for.
uint32_t decode_norm(uint8_t norm) noexcept;
/// decode_norm of every byte, for score tables.
const std::array<uint32_t, 256>& norm_lengths() noexcept;

}  // namespace quarry
