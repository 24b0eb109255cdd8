// Integer kernels for AVX-VNNI: vpdpbusd on 256 bits, for processors without AVX-512. The float
// kernels are those of AVX2.
#include "simd/kernel_tables.h"

#if defined(__x86_64__)
#include <immintrin.h>

#define QUARRY_KERNEL __attribute__((target("avx2,fma,avxvnni")))

namespace quarry::simd {
namespace {

QUARRY_KERNEL inline __m256i codes_at(const void* at) noexcept {
  return _mm256_loadu_si256(static_cast<const __m256i*>(at));
}

template <size_t kWords>
QUARRY_KERNEL inline void dot_four(const uint8_t* r0, const uint8_t* r1, const uint8_t* r2,
                                   const uint8_t* r3, const int8_t* query, size_t words,
                                   int32_t* out) noexcept {
  __m256i s0 = _mm256_setzero_si256(), s1 = s0, s2 = s0, s3 = s0;
  const size_t bytes = (kWords != 0 ? kWords : words) * 64;
  for (size_t i = 0; i < bytes; i += 32) {
    const __m256i codes = codes_at(query + i);
    s0 = _mm256_dpbusd_avx_epi32(s0, codes_at(r0 + i), codes);
    s1 = _mm256_dpbusd_avx_epi32(s1, codes_at(r1 + i), codes);
    s2 = _mm256_dpbusd_avx_epi32(s2, codes_at(r2 + i), codes);
    s3 = _mm256_dpbusd_avx_epi32(s3, codes_at(r3 + i), codes);
  }
  const __m256i sums = _mm256_hadd_epi32(_mm256_hadd_epi32(s0, s1), _mm256_hadd_epi32(s2, s3));
  _mm_storeu_si128(reinterpret_cast<__m128i*>(out),
                   _mm_add_epi32(_mm256_castsi256_si128(sums), _mm256_extracti128_si256(sums, 1)));
}

#include "simd/code_loops.h"

Kernels make_table() {
  Kernels table = *avx2_kernels();
  table.isa = Isa::kAvxVnni;
  table.name = "avx_vnni";
  table.dot_codes = dot_codes;
  table.gather_codes = gather_codes;
  return table;
}

}  // namespace

const Kernels* avx_vnni_kernels() {
  static const Kernels table = make_table();
  return &table;
}

}  // namespace quarry::simd

#else

namespace quarry::simd {
const Kernels* avx_vnni_kernels() { return nullptr; }
}  // namespace quarry::simd

#endif
