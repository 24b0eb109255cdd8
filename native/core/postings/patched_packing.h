// Patched bit packing (PFOR) of up to 128 integers: most values are packed in few bits, and the
// large ones are patched afterwards.
//
//   packed      packed_bytes(count, width): the low `width` bits of every value (bit_packing.h)
//   exceptions  `exception_bytes` bytes: for each value that needs more, u8 index, then varint
//               (value >> width)
//
// The two numbers, a PackShape, are stored by the owner of the pack.
#pragma once

#include <cstdint>
#include <span>

#include "base/coding.h"
#include "postings/bit_packing.h"

namespace quarry {

struct PackShape {
  uint8_t width = 0;  // 0 to 32
  uint8_t exception_bytes = 0;
};

constexpr size_t patched_bytes(uint32_t count, PackShape shape) noexcept {
  return packed_bytes(count, shape.width) + shape.exception_bytes;
}

/// Appends 1 to 128 `values` in the smallest shape.
PackShape put_patched(std::span<const uint32_t> values, ByteWriter& out);

/// Reads `count` (1 to 128) values at `at` and writes `count`, rounded up to a multiple of four,
/// values. Returns false when the shape is invalid or the pack is not inside `in`.
bool get_patched(Bytes in, uint64_t at, uint32_t count, PackShape shape, uint32_t* values) noexcept;

}  // namespace quarry
