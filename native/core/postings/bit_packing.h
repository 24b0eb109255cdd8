// Packing of up to 128 unsigned 32-bit integers with a fixed number of bits each, in a layout for
// four-lane SIMD.
//
// Value i belongs to lane i % 4 and row i / 4. The rows of a lane form a little-endian stream of
// `width` bits each, cut into 32-bit words; word k of lane l is at byte 16 k + 4 l. The last word
// is padded with zero bits.
#pragma once

#include <cstddef>
#include <cstdint>

namespace quarry {

inline constexpr uint32_t kPackValues = 128;
inline constexpr uint32_t kMaxPackWidth = 32;

/// The size of `count` packed values in bytes (count <= 128, width <= 32). 128 values need 16 x
/// width.
constexpr size_t packed_bytes(uint32_t count, uint32_t width) noexcept {
  const size_t rows = (count + 3) / 4;
  return (rows * width + 31) / 32 * 16;
}

/// Packs `count` values that all fit in `width` bits; writes packed_bytes(count, width) bytes to
/// `out`.
void pack_bits(const uint32_t* values, uint32_t count, uint32_t width, uint8_t* out) noexcept;

/// Reads packed_bytes(count, width) bytes and writes `count`, rounded up to a multiple of four,
/// values.
void unpack_bits(const uint8_t* in, uint32_t count, uint32_t width, uint32_t* values) noexcept;

/// The same, one value at a time: the reference that unpack_bits is tested against.
void unpack_bits_scalar(const uint8_t* in, uint32_t count, uint32_t width,
                        uint32_t* values) noexcept;

/// Converts gaps to numbers in place: values[i] becomes base + i + 1 + values[0] + ... + values[i],
/// modulo 2^32.
void sum_gaps(uint32_t (&values)[kPackValues], uint32_t base) noexcept;
void sum_gaps_scalar(uint32_t (&values)[kPackValues], uint32_t base) noexcept;

/// sums[i] becomes values[0] + ... + values[i - 1], modulo 2^32.
void sum_before(const uint32_t (&values)[kPackValues], uint32_t (&sums)[kPackValues]) noexcept;

}  // namespace quarry
