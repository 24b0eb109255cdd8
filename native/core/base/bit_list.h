// Counts the bits of a bit set, converts it to the numbers of its set bits, filters a list of
// numbers by it, and moves bits together.
#pragma once

#include <cstdint>
#include <span>

#include "base/coding.h"

namespace quarry {

/// The number of set bits.
uint64_t count_bits(std::span<const uint64_t> words) noexcept;
/// The number of bits that are set in both; `a` and `b` have the same length.
uint64_t count_shared_bits(std::span<const uint64_t> a, std::span<const uint64_t> b) noexcept;

/// The number of entries that list_bits() may write after the last one.
inline constexpr size_t kBitListSlack = 16;

/// Writes `first` + the index of every set bit of `bytes` (bit 0 is the lowest of the first byte),
/// ascending, and returns their number. `out` needs kBitListSlack more entries than there are set
/// bits.
uint32_t list_bits(Bytes bytes, uint32_t first, uint32_t* out) noexcept;

/// The same for the 128 documents of a block. Returns false, with part of `out` written, when the
/// number of set bits is not 128.
bool list_block_bits(Bytes bytes, uint32_t first, uint32_t (&out)[128]) noexcept;

/// Writes those of `docs` whose bits are set in `words` and returns their number. `out` has room
/// for all of them.
uint32_t keep_set(std::span<const uint32_t> docs, const uint64_t* words, uint32_t* out) noexcept;

/// For each of `count` words, moves the bits of `words` at the places of `mask` together, to the
/// lowest bits of `out`.
void compress_words(const uint64_t* words, const uint64_t* mask, size_t count,
                    uint64_t* out) noexcept;

/// compress_words() without an instruction for it: the reference, and the implementation on other
/// machines.
void compress_words_plain(const uint64_t* words, const uint64_t* mask, size_t count,
                          uint64_t* out) noexcept;

/// list_bits() without vector instructions: the reference, and the implementation on other
/// machines.
uint32_t list_bits_scalar(Bytes bytes, uint32_t first, uint32_t* out) noexcept;

}  // namespace quarry
