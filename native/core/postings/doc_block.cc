#include "postings/doc_block.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>

#include "base/bit_list.h"
#include "postings/block_table.h"

#if defined(__x86_64__)
#include <emmintrin.h>
#endif

namespace quarry {
namespace {

/// Up to this width 128 gaps added to a docId below 2^31 cannot overflow 2^32, so checking the last
/// document is sufficient.
constexpr uint8_t kMaxSafeWidth = 24;

using block_encoding::kFirstBitsetWords;
using block_encoding::kMaxBitsetWords;

/// The number of words of a bit set that takes as much space as packed gaps of `width` + 1 bits. A
/// bit set may be that large, because counts and conjunctions read it several times as fast.
constexpr uint32_t affordable_words(uint8_t width) {
  constexpr uint32_t kWordsPerBit = kPackValues / 64;
  return std::clamp(kWordsPerBit * (width + 1U), kFirstBitsetWords, kMaxBitsetWords);
}

uint32_t bitset_words(uint8_t encoding) noexcept { return encoding - block_encoding::kBitset; }

bool is_bitset(uint8_t encoding) noexcept {
  return encoding > block_encoding::kBitset &&
         encoding <= block_encoding::kBitset + kMaxBitsetWords;
}

bool ascending(const uint32_t (&docs)[kPackValues], uint32_t before) noexcept {
  uint64_t least = before == kNoDocBefore ? 0 : uint64_t{before} + 1;
  for (const uint32_t doc : docs) {
    if (doc < least) return false;
    least = uint64_t{doc} + 1;
  }
  return true;
}

uint8_t put_bitset(const uint32_t (&docs)[kPackValues], uint32_t before, uint32_t words,
                   ByteWriter& out) {
  uint64_t bits[kMaxBitsetWords] = {};
  for (const uint32_t doc : docs) {
    const uint32_t bit = doc - before - 1;
    bits[bit / 64] |= uint64_t{1} << (bit % 64);
  }
  for (uint32_t i = 0; i < words; ++i) out.put(bits[i]);
  return static_cast<uint8_t>(block_encoding::kBitset + words);
}

/// ORs `count` words into `words` from bit `bit` on; `last` is the last bit that may be set.
void merge_inside(const uint8_t* from, uint32_t count, uint64_t last, uint64_t bit,
                  uint64_t* words) noexcept {
  words += bit / 64;
  const uint32_t shift = bit % 64;
  uint64_t carried = 0;
  for (uint32_t i = 0; i < count; ++i) {
    auto bits = load<uint64_t>(from + size_t{8} * i);
    // Damaged bytes may have bits set after the last document.
    if (i + 1 == count) bits &= ~uint64_t{0} >> (63 - last % 64);
    words[i] |= bits << shift | carried;
    carried = shift == 0 ? 0 : bits >> (64 - shift);
  }
  words[count] |= carried;
}

}  // namespace

uint8_t put_full_block(const uint32_t (&docs)[kPackValues], uint32_t before, ByteWriter& out) {
  uint32_t gaps[kPackValues];
  uint32_t any = 0;
  uint32_t previous = before;
  for (uint32_t i = 0; i < kPackValues; ++i) {
    gaps[i] = docs[i] - previous - 1;
    any |= gaps[i];
    previous = docs[i];
  }
  const uint32_t span = docs[kPackValues - 1] - before;
  const uint32_t words = (span + 63) / 64;
  const auto width = static_cast<uint8_t>(std::bit_width(any));
  if (any != 0 && words <= affordable_words(width)) return put_bitset(docs, before, words, out);

  const size_t at = out.size();
  out.buffer().resize(at + packed_bytes(kPackValues, width));
  pack_bits(gaps, kPackValues, width, out.buffer().data() + at);
  return width;
}

uint64_t full_block_bytes(uint8_t encoding) noexcept {
  if (encoding <= kMaxPackWidth) return packed_bytes(kPackValues, encoding);
  if (is_bitset(encoding)) return uint64_t{8} * bitset_words(encoding);
  return std::numeric_limits<uint64_t>::max();
}

bool get_full_block(Bytes in, uint64_t at, uint8_t encoding, uint32_t before, uint32_t last,
                    uint32_t (&docs)[kPackValues]) noexcept {
  if (at > in.size() || in.size() - at < full_block_bytes(encoding)) return false;
  const uint8_t* from = in.data() + at;
  if (is_bitset(encoding)) {
    return list_block_bits({from, size_t{8} * bitset_words(encoding)}, before + 1, docs) &&
           docs[kPackValues - 1] == last;
  }
  unpack_bits(from, kPackValues, encoding, docs);
  sum_gaps(docs, before);
  return docs[kPackValues - 1] == last && (encoding <= kMaxSafeWidth || ascending(docs, before));
}

bool merge_bitset_block(Bytes in, uint64_t at, uint8_t encoding, uint32_t before, uint32_t last,
                        uint32_t first, std::span<uint64_t> words) noexcept {
  if (!is_bitset(encoding) || at > in.size() || in.size() - at < full_block_bytes(encoding))
    return false;
  const uint64_t begin = uint32_t{before + 1};  // 0 at the start of a term
  const uint32_t count = bitset_words(encoding);
  if (begin >= first && (begin - first) / 64 + count < words.size() &&
      last - begin >= uint64_t{64} * (count - 1)) {
    merge_inside(in.data() + at, count, last - begin, begin - first, words.data());
    return true;
  }
  const auto put = [words](uint64_t index, uint64_t bits) {
    if (index < words.size()) words[index] |= bits;
  };
  for (uint32_t i = 0; i < count; ++i) {
    const uint64_t from = begin + uint64_t{64} * i;
    if (from > last) break;
    auto bits = load<uint64_t>(in.data() + at + size_t{8} * i);
    // Damaged bytes may have bits set after the last document.
    if (last - from < 63) bits &= (uint64_t{2} << (last - from)) - 1;
    if (from >= first) {
      const uint64_t bit = from - first;
      put(bit / 64, bits << (bit % 64));
      if (bit % 64 != 0) put(bit / 64 + 1, bits >> (64 - bit % 64));
    } else if (first - from < 64) {
      put(0, bits >> (first - from));
    }
  }
  return true;
}

int64_t keep_in_bitset_block(Bytes in, uint64_t at, uint8_t encoding, uint32_t before,
                             std::span<const uint32_t> wanted, uint32_t* out) noexcept {
  if (!is_bitset(encoding) || at > in.size() || in.size() - at < full_block_bytes(encoding))
    return -1;
  const uint32_t begin = before + 1;  // 0 at the start of a term
  // `wanted` ascends, so if its last document is in range, all are.
  if (!wanted.empty() && (wanted.back() - begin) / 64 >= bitset_words(encoding)) return -1;
  const uint8_t* bits = in.data() + at;
  int64_t kept = 0;
  for (const uint32_t doc : wanted) {
    const uint32_t bit = doc - begin;
    out[kept] = doc;
    kept += bits[bit / 8] >> (bit % 8) & 1;
  }
  return kept;
}

void put_short_block(std::span<const uint32_t> docs, std::span<const uint32_t> freqs,
                     uint32_t before, ByteWriter& out) {
  for (size_t i = 0; i < docs.size(); ++i) {
    const uint64_t gap = docs[i] - before - 1;
    before = docs[i];
    if (freqs.empty()) {
      out.put_varint(gap);
      continue;
    }
    const bool once = freqs[i] == 1;
    out.put_varint(gap << 1 | (once ? 1 : 0));
    if (!once) out.put_varint(freqs[i]);
  }
}

namespace {

/// The maximum number of bytes of a document and its frequency: five hold any 32-bit number.
constexpr size_t kMostBytesOfDoc = 10;

/// Reads a varint of at most five bytes, all of which are readable. A longer one is damaged and
/// yields a number that is too large for a document. Predictable branches are faster here than
/// arithmetic that depends on the previous length.
[[gnu::always_inline]] inline uint64_t short_varint(const uint8_t*& at) noexcept {
  uint64_t value = *at++;
  if (value < 0x80) return value;
  value += (uint64_t{*at} << 7) - 0x80;
  if (*at++ < 0x80) return value;
  value += (uint64_t{*at} << 14) - (0x80 << 7);
  if (*at++ < 0x80) return value;
  value += (uint64_t{*at} << 21) - (0x80 << 14);
  if (*at++ < 0x80) return value;
  return value + (uint64_t{*at++} << 28) - (0x80 << 21);
}

/// Reads the documents of a short block that is too far from the end of its section to read past
/// it. Returns false when they are damaged.
template <bool kFreqs>
bool read_short_block(const uint8_t* at, uint32_t count, uint64_t next, uint32_t max_doc,
                      uint32_t* docs, uint32_t* freqs) noexcept {
  for (uint32_t i = 0; i < count; ++i) {
    uint64_t gap = short_varint(at);
    if (kFreqs) {
      freqs[i] = (gap & 1) != 0 ? 1 : static_cast<uint32_t>(short_varint(at));
      gap >>= 1;
    }
    next += gap;  // at most 35 bits
    if (next >= max_doc) return false;
    docs[i] = static_cast<uint32_t>(next++);
  }
  return true;
}

}  // namespace

bool get_short_block(Bytes in, uint64_t at, uint32_t count, uint32_t before, uint32_t max_doc,
                     uint32_t* docs, uint32_t* freqs) noexcept {
  if (at > in.size()) return false;
  uint64_t doc = before == kNoDocBefore ? 0 : uint64_t{before} + 1;
  if (in.size() - at >= size_t{count} * kMostBytesOfDoc) {
    const uint8_t* from = in.data() + at;
    return freqs == nullptr ? read_short_block<false>(from, count, doc, max_doc, docs, freqs)
                            : read_short_block<true>(from, count, doc, max_doc, docs, freqs);
  }
  ByteReader reader(in.subspan(at));
  for (uint32_t i = 0; i < count; ++i) {
    uint64_t gap = reader.get_varint();
    if (freqs != nullptr) {
      const bool once = (gap & 1) != 0;
      gap >>= 1;
      freqs[i] = once ? 1 : static_cast<uint32_t>(reader.get_varint());
    }
    if (gap >= max_doc || doc + gap >= max_doc) return false;
    docs[i] = static_cast<uint32_t>(doc + gap);
    doc += gap + 1;
  }
  return !reader.failed();
}

uint32_t count_below(const uint32_t (&docs)[kPackValues], uint32_t target) noexcept {
  constexpr uint32_t kPart = 16;
  // A few independent probes select a part. Within it, comparing everything is faster than a search
  // in which each step depends on the previous one.
  uint32_t part = 0;
  for (uint32_t end = kPart; end < kPackValues; end += kPart)
    part += static_cast<uint32_t>(docs[end - 1] < target);
  const uint32_t* from = docs + size_t{part} * kPart;
#if defined(__x86_64__)
  // Documents are below 2^31, so signed comparisons are correct.
  const __m128i targets = _mm_set1_epi32(static_cast<int>(target));
  const auto below = [&](size_t i) {
    return _mm_cmplt_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(from + 4 * i)),
                           targets);
  };
  const __m128i all =
      _mm_packs_epi16(_mm_packs_epi32(below(0), below(1)), _mm_packs_epi32(below(2), below(3)));
  const auto mask = static_cast<uint32_t>(_mm_movemask_epi8(all));
  return part * kPart + static_cast<uint32_t>(std::countr_one(mask));
#else
  uint32_t below = 0;
  for (uint32_t i = 0; i < kPart; ++i) below += static_cast<uint32_t>(from[i] < target);
  return part * kPart + below;
#endif
}

}  // namespace quarry
