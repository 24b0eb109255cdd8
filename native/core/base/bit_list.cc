#include "base/bit_list.h"

#include <array>
#include <bit>
#include <cstring>

#if defined(__x86_64__)
// GCC 12 reports the undefined operands in its own intrinsics as uninitialized (GCC bug 105593).
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
#include <immintrin.h>
#endif

namespace quarry {
namespace {

/// The set bits of a byte, ascending; entries after the first `count` are unused. A table, because
/// baseline x86-64 has no instruction that counts bits.
struct ByteBits {
  uint8_t bits[8];
  uint8_t count;
};

constexpr std::array<ByteBits, 256> make_table() {
  std::array<ByteBits, 256> table{};
  for (uint32_t byte = 0; byte < 256; ++byte) {
    ByteBits& entry = table[byte];
    for (uint8_t bit = 0; bit < 8; ++bit) {
      if ((byte >> bit & 1) != 0) entry.bits[entry.count++] = bit;
    }
  }
  return table;
}

constexpr std::array<ByteBits, 256> kTable = make_table();

constexpr uint32_t kBlock = 128;
/// The size of the largest bit set of a block, in bytes.
constexpr size_t kMostBytes = 128;

#if defined(__x86_64__)
__attribute__((target("avx2"))) uint32_t list_bits_avx2(Bytes bytes, uint32_t first,
                                                        uint32_t* out) noexcept {
  const uint32_t* start = out;
  __m256i firsts = _mm256_set1_epi32(static_cast<int>(first));
  for (const uint8_t byte : bytes) {
    const ByteBits& entry = kTable[byte];
    const __m256i bits =
        _mm256_cvtepu8_epi32(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(entry.bits)));
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(out), _mm256_add_epi32(firsts, bits));
    firsts = _mm256_add_epi32(firsts, _mm256_set1_epi32(8));
    out += entry.count;
  }
  return static_cast<uint32_t>(out - start);
}

__attribute__((target("avx512f,avx512bw,avx512vbmi2,popcnt"))) uint32_t
list_bits_avx512(Bytes bytes, uint32_t first, uint32_t* out) noexcept {
  const uint32_t* start = out;
  alignas(64) uint8_t places[64];
  for (uint8_t i = 0; i < 64; ++i) places[i] = i;
  const __m512i all = _mm512_load_si512(places);
  __m512i base = _mm512_set1_epi32(static_cast<int>(first));
  const __m512i step = _mm512_set1_epi32(64);
  for (size_t at = 0; at < bytes.size(); at += 8) {
    const auto word = load<uint64_t>(bytes.data() + at);
    __m512i found = _mm512_maskz_compress_epi8(word, all);
    auto left = static_cast<uint32_t>(__builtin_popcountll(word));
    for (;;) {
      const __m512i bits = _mm512_cvtepu8_epi32(_mm512_castsi512_si128(found));
      _mm512_storeu_si512(out, _mm512_add_epi32(base, bits));
      if (left <= 16) break;
      out += 16;
      left -= 16;
      found = _mm512_alignr_epi32(found, found, 4);
    }
    out += left;
    base = _mm512_add_epi32(base, step);
  }
  return static_cast<uint32_t>(out - start);
}

/// Writes only the entries that are needed, because the caller reads the documents at once and
/// would wait for a copy of them.
__attribute__((target("avx512f,avx512bw,avx512vbmi2,popcnt"))) bool list_block_bits_avx512(
    Bytes bytes, uint32_t first, uint32_t (&out)[kBlock]) noexcept {
  alignas(64) uint8_t places[64];
  for (uint8_t i = 0; i < 64; ++i) places[i] = i;
  const __m512i all = _mm512_load_si512(places);
  uint32_t at = 0;
  for (; bytes.size() >= 8; bytes = bytes.subspan(8)) {
    const auto word = load<uint64_t>(bytes.data());
    const auto count = static_cast<uint32_t>(__builtin_popcountll(word));
    if (count > kBlock - at) return false;
    const __m512i base = _mm512_set1_epi32(static_cast<int>(first));
    __m512i found = _mm512_maskz_compress_epi8(word, all);
    for (uint32_t left = count;;) {
      const __m512i docs =
          _mm512_add_epi32(base, _mm512_cvtepu8_epi32(_mm512_castsi512_si128(found)));
      if (at + 16 <= kBlock) {
        _mm512_storeu_si512(out + at, docs);
      } else {
        _mm512_mask_storeu_epi32(out + at, static_cast<__mmask16>((1U << (kBlock - at)) - 1), docs);
      }
      if (left <= 16) {
        at += left;
        break;
      }
      at += 16;
      left -= 16;
      found = _mm512_alignr_epi32(found, found, 4);
    }
    first += 64;
  }
  return at == kBlock && bytes.empty();
}

bool has_avx512() noexcept {
  static const bool has =
      __builtin_cpu_supports("avx512bw") != 0 && __builtin_cpu_supports("avx512vbmi2") != 0;
  return has;
}
#endif

uint64_t count_bits_plain(std::span<const uint64_t> words) noexcept {
  uint64_t total = 0;
  for (const uint64_t word : words) total += static_cast<uint64_t>(std::popcount(word));
  return total;
}

#if defined(__x86_64__)
/// Without the popcnt target, baseline x86-64 code counts bits with a table.
__attribute__((target("popcnt"))) uint64_t
count_bits_popcnt(std::span<const uint64_t> words) noexcept {
  uint64_t total = 0;
  for (const uint64_t word : words) total += static_cast<uint64_t>(__builtin_popcountll(word));
  return total;
}
#endif

uint64_t count_shared_plain(std::span<const uint64_t> a, std::span<const uint64_t> b) noexcept {
  uint64_t total = 0;
  for (size_t i = 0; i < a.size(); i++) total += static_cast<uint64_t>(std::popcount(a[i] & b[i]));
  return total;
}

#if defined(__x86_64__)
__attribute__((target("popcnt"))) uint64_t
count_shared_popcnt(std::span<const uint64_t> a, std::span<const uint64_t> b) noexcept {
  uint64_t total = 0;
  for (size_t i = 0; i < a.size(); i++)
    total += static_cast<uint64_t>(__builtin_popcountll(a[i] & b[i]));
  return total;
}
#endif

#if defined(__x86_64__)
__attribute__((target("bmi2"))) void compress_words_bmi2(const uint64_t* words,
                                                         const uint64_t* mask, size_t count,
                                                         uint64_t* out) noexcept {
  for (size_t i = 0; i < count; i++) out[i] = _pext_u64(words[i], mask[i]);
}
#endif

}  // namespace

uint64_t count_bits(std::span<const uint64_t> words) noexcept {
#if defined(__x86_64__)
  static const bool has_popcnt = __builtin_cpu_supports("popcnt") != 0;
  if (has_popcnt) return count_bits_popcnt(words);
#endif
  return count_bits_plain(words);
}

uint64_t count_shared_bits(std::span<const uint64_t> a, std::span<const uint64_t> b) noexcept {
#if defined(__x86_64__)
  static const bool has_popcnt = __builtin_cpu_supports("popcnt") != 0;
  if (has_popcnt) return count_shared_popcnt(a, b);
#endif
  return count_shared_plain(a, b);
}

uint32_t list_bits_scalar(Bytes bytes, uint32_t first, uint32_t* out) noexcept {
  const uint32_t* start = out;
  // There is no branch per bit: eight entries are written for every byte, and the entries of the
  // next byte start after its set bits.
  for (const uint8_t byte : bytes) {
    const ByteBits& entry = kTable[byte];
    for (uint32_t i = 0; i < 8; ++i) out[i] = first + entry.bits[i];
    first += 8;
    out += entry.count;
  }
  return static_cast<uint32_t>(out - start);
}

uint32_t list_bits(Bytes bytes, uint32_t first, uint32_t* out) noexcept {
#if defined(__x86_64__)
  if (has_avx512() && bytes.size() % 8 == 0) return list_bits_avx512(bytes, first, out);
  static const bool has_avx2 = __builtin_cpu_supports("avx2") != 0;
  if (has_avx2) return list_bits_avx2(bytes, first, out);
#endif
  return list_bits_scalar(bytes, first, out);
}

bool list_block_bits(Bytes bytes, uint32_t first, uint32_t (&out)[kBlock]) noexcept {
#if defined(__x86_64__)
  if (has_avx512() && bytes.size() % 8 == 0) return list_block_bits_avx512(bytes, first, out);
#endif
  uint32_t found[8 * kMostBytes + kBitListSlack];
  if (bytes.size() > kMostBytes || list_bits(bytes, first, found) != kBlock) return false;
  std::memcpy(out, found, sizeof(out));
  return true;
}

// There are no branches, because the bits are unpredictable. Four documents are tested at a time,
// so that their tests do not depend on the output position of the previous one.
uint32_t keep_set(std::span<const uint32_t> docs, const uint64_t* words, uint32_t* out) noexcept {
  const auto bit = [words](uint32_t doc) { return words[doc / 64] >> (doc % 64) & 1; };
  uint32_t* at = out;
  size_t i = 0;
  for (; i + 4 <= docs.size(); i += 4) {
    const uint32_t four[] = {docs[i], docs[i + 1], docs[i + 2], docs[i + 3]};
    const uint64_t bits[] = {bit(four[0]), bit(four[1]), bit(four[2]), bit(four[3])};
    for (size_t k = 0; k < 4; k++) {
      *at = four[k];
      at += bits[k];
    }
  }
  for (; i < docs.size(); i++) {
    const uint32_t doc = docs[i];
    *at = doc;
    at += bit(doc);
  }
  return static_cast<uint32_t>(at - out);
}

void compress_words_plain(const uint64_t* words, const uint64_t* mask, size_t count,
                          uint64_t* out) noexcept {
  for (size_t i = 0; i < count; i++) {
    uint64_t found = 0;
    uint32_t place = 0;
    for (uint64_t left = mask[i]; left != 0; left &= left - 1) {
      const auto bit = static_cast<uint32_t>(std::countr_zero(left));
      found |= (words[i] >> bit & 1) << place++;
    }
    out[i] = found;
  }
}

void compress_words(const uint64_t* words, const uint64_t* mask, size_t count,
                    uint64_t* out) noexcept {
#if defined(__x86_64__)
  static const bool has_bmi2 = __builtin_cpu_supports("bmi2") != 0;
  if (has_bmi2) return compress_words_bmi2(words, mask, count, out);
#endif
  compress_words_plain(words, mask, count, out);
}

}  // namespace quarry
