// Kernels for AVX-512 with VNNI, BW and VL.
#include "simd/kernel_tables.h"

#if defined(__x86_64__)
// GCC 12 calls the undefined operands within its own intrinsics uninitialized (GCC bug 105593).
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
#include <immintrin.h>

#define QUARRY_KERNEL __attribute__((target("avx2,fma,avx512f,avx512bw,avx512vl,avx512vnni")))

namespace quarry::simd {
namespace {

/// The lowest `count` lanes, count < 16.
QUARRY_KERNEL inline __mmask16 lanes16(size_t count) noexcept {
  return static_cast<__mmask16>((1U << count) - 1);
}
QUARRY_KERNEL inline __mmask8 lanes8(size_t count) noexcept {
  return static_cast<__mmask8>((1U << count) - 1);
}

QUARRY_KERNEL float dot(const float* a, const float* b, size_t dims) noexcept {
  __m512 sums[4] = {_mm512_setzero_ps(), _mm512_setzero_ps(), _mm512_setzero_ps(),
                    _mm512_setzero_ps()};
  size_t i = 0;
  for (; i + 64 <= dims; i += 64) {
    for (size_t j = 0; j < 4; j++) {
      sums[j] = _mm512_fmadd_ps(_mm512_loadu_ps(a + i + 16 * j), _mm512_loadu_ps(b + i + 16 * j),
                                sums[j]);
    }
  }
  for (; i + 16 <= dims; i += 16) {
    sums[0] = _mm512_fmadd_ps(_mm512_loadu_ps(a + i), _mm512_loadu_ps(b + i), sums[0]);
  }
  if (i < dims) {
    const __mmask16 mask = lanes16(dims - i);
    sums[1] = _mm512_fmadd_ps(_mm512_maskz_loadu_ps(mask, a + i),
                              _mm512_maskz_loadu_ps(mask, b + i), sums[1]);
  }
  return _mm512_reduce_add_ps(
      _mm512_add_ps(_mm512_add_ps(sums[0], sums[1]), _mm512_add_ps(sums[2], sums[3])));
}

QUARRY_KERNEL float l2(const float* a, const float* b, size_t dims) noexcept {
  __m512 sums[4] = {_mm512_setzero_ps(), _mm512_setzero_ps(), _mm512_setzero_ps(),
                    _mm512_setzero_ps()};
  size_t i = 0;
  for (; i + 64 <= dims; i += 64) {
    for (size_t j = 0; j < 4; j++) {
      const __m512 difference =
          _mm512_sub_ps(_mm512_loadu_ps(a + i + 16 * j), _mm512_loadu_ps(b + i + 16 * j));
      sums[j] = _mm512_fmadd_ps(difference, difference, sums[j]);
    }
  }
  for (; i < dims; i += 16) {
    const __mmask16 mask = dims - i >= 16 ? __mmask16{0xffff} : lanes16(dims - i);
    const __m512 difference =
        _mm512_sub_ps(_mm512_maskz_loadu_ps(mask, a + i), _mm512_maskz_loadu_ps(mask, b + i));
    sums[0] = _mm512_fmadd_ps(difference, difference, sums[0]);
  }
  return _mm512_reduce_add_ps(
      _mm512_add_ps(_mm512_add_ps(sums[0], sums[1]), _mm512_add_ps(sums[2], sums[3])));
}

QUARRY_KERNEL inline __m512d wide(const float* at) noexcept {
  return _mm512_cvtps_pd(_mm256_loadu_ps(at));
}
QUARRY_KERNEL inline __m512d wide(const float* at, __mmask8 mask) noexcept {
  return _mm512_cvtps_pd(_mm256_maskz_loadu_ps(mask, at));
}

QUARRY_KERNEL double dot_exact(const float* a, const float* b, size_t dims) noexcept {
  __m512d sums[4] = {_mm512_setzero_pd(), _mm512_setzero_pd(), _mm512_setzero_pd(),
                     _mm512_setzero_pd()};
  size_t i = 0;
  for (; i + 32 <= dims; i += 32) {
    for (size_t j = 0; j < 4; j++) {
      sums[j] = _mm512_fmadd_pd(wide(a + i + 8 * j), wide(b + i + 8 * j), sums[j]);
    }
  }
  for (; i < dims; i += 8) {
    const __mmask8 mask = dims - i >= 8 ? __mmask8{0xff} : lanes8(dims - i);
    sums[0] = _mm512_fmadd_pd(wide(a + i, mask), wide(b + i, mask), sums[0]);
  }
  return _mm512_reduce_add_pd(
      _mm512_add_pd(_mm512_add_pd(sums[0], sums[1]), _mm512_add_pd(sums[2], sums[3])));
}

QUARRY_KERNEL double l2_exact(const float* a, const float* b, size_t dims) noexcept {
  __m512d sums[4] = {_mm512_setzero_pd(), _mm512_setzero_pd(), _mm512_setzero_pd(),
                     _mm512_setzero_pd()};
  size_t i = 0;
  for (; i + 32 <= dims; i += 32) {
    for (size_t j = 0; j < 4; j++) {
      const __m512d difference = _mm512_sub_pd(wide(a + i + 8 * j), wide(b + i + 8 * j));
      sums[j] = _mm512_fmadd_pd(difference, difference, sums[j]);
    }
  }
  for (; i < dims; i += 8) {
    const __mmask8 mask = dims - i >= 8 ? __mmask8{0xff} : lanes8(dims - i);
    const __m512d difference = _mm512_sub_pd(wide(a + i, mask), wide(b + i, mask));
    sums[0] = _mm512_fmadd_pd(difference, difference, sums[0]);
  }
  return _mm512_reduce_add_pd(
      _mm512_add_pd(_mm512_add_pd(sums[0], sums[1]), _mm512_add_pd(sums[2], sums[3])));
}

QUARRY_KERNEL void add_scaled(float factor, const float* x, float* y, size_t dims) noexcept {
  const __m512 factors = _mm512_set1_ps(factor);
  size_t i = 0;
  for (; i + 16 <= dims; i += 16) {
    _mm512_storeu_ps(y + i,
                     _mm512_fmadd_ps(factors, _mm512_loadu_ps(x + i), _mm512_loadu_ps(y + i)));
  }
  if (i == dims) return;
  const __mmask16 mask = lanes16(dims - i);
  _mm512_mask_storeu_ps(y + i, mask,
                        _mm512_fmadd_ps(factors, _mm512_maskz_loadu_ps(mask, x + i),
                                        _mm512_maskz_loadu_ps(mask, y + i)));
}

QUARRY_KERNEL inline __m512i codes_at(const void* at) noexcept { return _mm512_loadu_si512(at); }

/// The four sums over sixteen lanes each.
QUARRY_KERNEL inline __m128i sums_of(__m512i a, __m512i b, __m512i c, __m512i d) noexcept {
  const __m512i ab = _mm512_add_epi32(_mm512_unpacklo_epi32(a, b), _mm512_unpackhi_epi32(a, b));
  const __m512i cd = _mm512_add_epi32(_mm512_unpacklo_epi32(c, d), _mm512_unpackhi_epi32(c, d));
  const __m512i all =
      _mm512_add_epi32(_mm512_unpacklo_epi64(ab, cd), _mm512_unpackhi_epi64(ab, cd));
  const __m256i half =
      _mm256_add_epi32(_mm512_castsi512_si256(all), _mm512_extracti64x4_epi64(all, 1));
  return _mm_add_epi32(_mm256_castsi256_si128(half), _mm256_extracti128_si256(half, 1));
}

template <size_t kWords>
QUARRY_KERNEL inline void dot_four(const uint8_t* r0, const uint8_t* r1, const uint8_t* r2,
                                   const uint8_t* r3, const int8_t* query, size_t words,
                                   int32_t* out) noexcept {
  __m512i s0 = _mm512_setzero_si512(), s1 = s0, s2 = s0, s3 = s0;
  const size_t bytes = (kWords != 0 ? kWords : words) * 64;
#pragma GCC unroll 12
  for (size_t i = 0; i < bytes; i += 64) {
    const __m512i codes = codes_at(query + i);
    s0 = _mm512_dpbusd_epi32(s0, codes_at(r0 + i), codes);
    s1 = _mm512_dpbusd_epi32(s1, codes_at(r1 + i), codes);
    s2 = _mm512_dpbusd_epi32(s2, codes_at(r2 + i), codes);
    s3 = _mm512_dpbusd_epi32(s3, codes_at(r3 + i), codes);
  }
  _mm_storeu_si128(reinterpret_cast<__m128i*>(out), sums_of(s0, s1, s2, s3));
}

#include "simd/code_loops.h"

/// Appends the positions within `mask` whose bounds are not below `limit`; errors, tails and norms
/// are those of sixteen rows. Compresses in a register, because compressing to memory is microcoded
/// on Zen.
QUARRY_KERNEL inline uint32_t append_reaching(const RowBound& bound, __m512 limit, __mmask16 mask,
                                              const int32_t* sums, __m512 errors, __m512 tails,
                                              __m512 norms, uint32_t first,
                                              uint32_t* out) noexcept {
  const __m512i sum = _mm512_maskz_loadu_epi32(mask, sums);
  const __m512 estimate = _mm512_cvtepi32_ps(_mm512_sub_epi32(sum, _mm512_set1_epi32(bound.bias)));
  __m512 value = _mm512_fmadd_ps(estimate, _mm512_set1_ps(bound.scale), _mm512_set1_ps(bound.base));
  value = _mm512_fmadd_ps(errors, _mm512_set1_ps(bound.error_factor), value);
  value = _mm512_fmadd_ps(tails, _mm512_set1_ps(bound.tail_factor), value);
  value = _mm512_fmadd_ps(_mm512_mul_ps(norms, norms), _mm512_set1_ps(bound.norm_factor), value);
  const __mmask16 reached = _mm512_mask_cmp_ps_mask(mask, value, limit, _CMP_NLT_UQ);
  if (reached == 0) return 0;
  const __m512i lanes = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
  const __m512i places = _mm512_add_epi32(lanes, _mm512_set1_epi32(static_cast<int32_t>(first)));
  _mm512_storeu_si512(out, _mm512_maskz_compress_epi32(reached, places));
  return static_cast<uint32_t>(__builtin_popcount(reached));
}

QUARRY_KERNEL uint32_t select(const RowBound& bound, float limit, uint32_t first, uint32_t count,
                              const int32_t* sums, uint32_t* out) noexcept {
  const __m512 limits = _mm512_set1_ps(limit), none = _mm512_setzero_ps();
  uint32_t selected = 0;
  for (uint32_t i = 0; i < count; i += 16) {
    const __mmask16 mask = count - i >= 16 ? __mmask16{0xffff} : lanes16(count - i);
    const size_t at = size_t{first} + i;
    const __m512 errors = _mm512_maskz_loadu_ps(mask, bound.error + at);
    const __m512 tails =
        bound.tail != nullptr ? _mm512_maskz_loadu_ps(mask, bound.tail + at) : none;
    const __m512 norms =
        bound.norm != nullptr ? _mm512_maskz_loadu_ps(mask, bound.norm + at) : none;
    selected +=
        append_reaching(bound, limits, mask, sums + i, errors, tails, norms, i, out + selected);
  }
  return selected;
}

QUARRY_KERNEL inline __m512 gathered(__mmask16 mask, const float* from, __m512i at) noexcept {
  return _mm512_mask_i32gather_ps(_mm512_setzero_ps(), mask, at, from, 4);
}

QUARRY_KERNEL uint32_t gather_select(const RowBound& bound, float limit, const uint32_t* ordinals,
                                     uint32_t count, const int32_t* sums, uint32_t* out) noexcept {
  const __m512 limits = _mm512_set1_ps(limit), none = _mm512_setzero_ps();
  uint32_t selected = 0;
  for (uint32_t i = 0; i < count; i += 16) {
    const __mmask16 mask = count - i >= 16 ? __mmask16{0xffff} : lanes16(count - i);
    const __m512i at = _mm512_maskz_loadu_epi32(mask, ordinals + i);
    const __m512 errors = gathered(mask, bound.error, at);
    const __m512 tails = bound.tail != nullptr ? gathered(mask, bound.tail, at) : none;
    const __m512 norms = bound.norm != nullptr ? gathered(mask, bound.norm, at) : none;
    selected +=
        append_reaching(bound, limits, mask, sums + i, errors, tails, norms, i, out + selected);
  }
  return selected;
}

}  // namespace

const Kernels* avx512_kernels() {
  static constexpr Kernels kTable = {Isa::kAvx512, "avx512", dot,          l2,
                                     dot_exact,    l2_exact, add_scaled,   dot_codes,
                                     gather_codes, select,   gather_select};
  return &kTable;
}

}  // namespace quarry::simd

#else

namespace quarry::simd {
const Kernels* avx512_kernels() { return nullptr; }
}  // namespace quarry::simd

#endif
