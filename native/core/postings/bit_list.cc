#include "postings/bit_list.h"

#include <array>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace quarry {
namespace {

/// The set bits of a byte, ascending; what stands behind the first `count` does not matter. A
/// table, because baseline x86-64 has no instruction to count bits.
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
#endif

}  // namespace

uint32_t list_bits_scalar(Bytes bytes, uint32_t first, uint32_t* out) noexcept {
  const uint32_t* start = out;
  // No branch for each bit: eight entries are written for every byte, the next byte's start behind
  // its set bits.
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
  static const bool has_avx2 = __builtin_cpu_supports("avx2") != 0;
  if (has_avx2) return list_bits_avx2(bytes, first, out);
#endif
  return list_bits_scalar(bytes, first, out);
}

}  // namespace quarry
