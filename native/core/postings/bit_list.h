// From a bit set to the numbers of its set bits.
#pragma once

#include <cstdint>

#include "base/coding.h"

namespace quarry {

/// Entries that list_bits() may write behind the last one.
inline constexpr size_t kBitListSlack = 16;

/// Writes `first` + the index of every set bit of `bytes` (bit 0 is the lowest of the first byte),
/// ascending, and returns their number. `out` needs kBitListSlack more entries than there are set
/// bits.
uint32_t list_bits(Bytes bytes, uint32_t first, uint32_t* out) noexcept;

/// The same for the 128 documents of a block. False, with some of `out` written, when there are not
/// as many bits.
bool list_block_bits(Bytes bytes, uint32_t first, uint32_t (&out)[128]) noexcept;

/// list_bits() without vector instructions: the reference, and what other machines run.
uint32_t list_bits_scalar(Bytes bytes, uint32_t first, uint32_t* out) noexcept;

}  // namespace quarry
