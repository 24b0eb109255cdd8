// The documents of one block, in the three encodings of block_encoding:
//
//   0..32     128 gaps (docId - previous docId - 1) of that many bits each (bit_packing.h)
//   64 + n    a bit set of n little-endian u64 words, up to 16; bit i is document `before` + 1 + i
//   varints   fewer than 128 documents, with their frequencies: varint (gap << 1 | frequency is 1),
//             then varint frequency if it is not 1; without frequencies just varint gap
//
// `before` is the last document of the previous block; kNoDocBefore at the start of a term.
#pragma once

#include <cstdint>
#include <span>

#include "base/coding.h"
#include "postings/bit_packing.h"

namespace quarry {

inline constexpr uint32_t kNoDocBefore = ~uint32_t{0};

/// Appends 128 documents, all below 2^31, packed or as a bit set; returns the encoding.
uint8_t put_full_block(const uint32_t (&docs)[kPackValues], uint32_t before, ByteWriter& out);

/// The size of the documents of a full block in bytes; a very large number for an invalid encoding.
uint64_t full_block_bytes(uint8_t encoding) noexcept;

/// Reads 128 ascending documents, the last of which is `last` (< 2^31). Returns false when they are
/// not, or are outside `in`.
bool get_full_block(Bytes in, uint64_t at, uint8_t encoding, uint32_t before, uint32_t last,
                    uint32_t (&docs)[kPackValues]) noexcept;

/// ORs a block into a window: sets bit doc - `first` of `words` for each document within the
/// window. Returns false and does nothing when the block is not a bit set inside `in`.
bool merge_bitset_block(Bytes in, uint64_t at, uint8_t encoding, uint32_t before, uint32_t last,
                        uint32_t first, std::span<uint64_t> words) noexcept;

/// Writes those of `wanted` that the block contains and returns their number; -1 when the block is
/// not a bit set inside `in`. All of `wanted` are between `before` and the last document of the
/// block. `out` may be the start of `wanted`, or before it.
int64_t keep_in_bitset_block(Bytes in, uint64_t at, uint8_t encoding, uint32_t before,
                             std::span<const uint32_t> wanted, uint32_t* out) noexcept;

/// Appends fewer than 128 documents; `freqs` has the same length or is empty.
void put_short_block(std::span<const uint32_t> docs, std::span<const uint32_t> freqs,
                     uint32_t before, ByteWriter& out);

/// Reads `count` (< 128) ascending documents below `max_doc` (<= 2^31). `freqs` is null if the
/// bytes contain no frequencies.
bool get_short_block(Bytes in, uint64_t at, uint32_t count, uint32_t before, uint32_t max_doc,
                     uint32_t* docs, uint32_t* freqs) noexcept;

/// The number of entries of an ascending array that are below `target`; all numbers are below 2^31.
uint32_t count_below(const uint32_t (&docs)[kPackValues], uint32_t target) noexcept;

}  // namespace quarry
