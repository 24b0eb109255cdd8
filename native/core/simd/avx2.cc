// Kernels for AVX2 and FMA.
#include "simd/kernel_tables.h"

#if defined(__x86_64__)
#include <immintrin.h>

#define QUARRY_KERNEL __attribute__((target("avx2,fma")))

namespace quarry::simd {
namespace {

QUARRY_KERNEL inline float sum_of(__m256 v) noexcept {
  __m128 sum = _mm_add_ps(_mm256_castps256_ps128(v), _mm256_extractf128_ps(v, 1));
  sum = _mm_add_ps(sum, _mm_movehl_ps(sum, sum));
  return _mm_cvtss_f32(_mm_add_ss(sum, _mm_movehdup_ps(sum)));
}
QUARRY_KERNEL inline double sum_of(__m256d v) noexcept {
  const __m128d sum = _mm_add_pd(_mm256_castpd256_pd128(v), _mm256_extractf128_pd(v, 1));
  return _mm_cvtsd_f64(_mm_add_sd(sum, _mm_unpackhi_pd(sum, sum)));
}

QUARRY_KERNEL float dot(const float* a, const float* b, size_t dims) noexcept {
  __m256 sums[4] = {_mm256_setzero_ps(), _mm256_setzero_ps(), _mm256_setzero_ps(),
                    _mm256_setzero_ps()};
  size_t i = 0;
  for (; i + 32 <= dims; i += 32) {
    for (size_t j = 0; j < 4; j++) {
      sums[j] =
          _mm256_fmadd_ps(_mm256_loadu_ps(a + i + 8 * j), _mm256_loadu_ps(b + i + 8 * j), sums[j]);
    }
  }
  for (; i + 8 <= dims; i += 8) {
    sums[0] = _mm256_fmadd_ps(_mm256_loadu_ps(a + i), _mm256_loadu_ps(b + i), sums[0]);
  }
  float sum =
      sum_of(_mm256_add_ps(_mm256_add_ps(sums[0], sums[1]), _mm256_add_ps(sums[2], sums[3])));
  for (; i < dims; i++) sum += a[i] * b[i];
  return sum;
}

QUARRY_KERNEL float l2(const float* a, const float* b, size_t dims) noexcept {
  __m256 sums[4] = {_mm256_setzero_ps(), _mm256_setzero_ps(), _mm256_setzero_ps(),
                    _mm256_setzero_ps()};
  size_t i = 0;
  for (; i + 32 <= dims; i += 32) {
    for (size_t j = 0; j < 4; j++) {
      const __m256 difference =
          _mm256_sub_ps(_mm256_loadu_ps(a + i + 8 * j), _mm256_loadu_ps(b + i + 8 * j));
      sums[j] = _mm256_fmadd_ps(difference, difference, sums[j]);
    }
  }
  for (; i + 8 <= dims; i += 8) {
    const __m256 difference = _mm256_sub_ps(_mm256_loadu_ps(a + i), _mm256_loadu_ps(b + i));
    sums[0] = _mm256_fmadd_ps(difference, difference, sums[0]);
  }
  float sum =
      sum_of(_mm256_add_ps(_mm256_add_ps(sums[0], sums[1]), _mm256_add_ps(sums[2], sums[3])));
  for (; i < dims; i++) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return sum;
}

QUARRY_KERNEL inline __m256d wide(const float* at) noexcept {
  return _mm256_cvtps_pd(_mm_loadu_ps(at));
}

QUARRY_KERNEL double dot_exact(const float* a, const float* b, size_t dims) noexcept {
  __m256d sums[4] = {_mm256_setzero_pd(), _mm256_setzero_pd(), _mm256_setzero_pd(),
                     _mm256_setzero_pd()};
  size_t i = 0;
  for (; i + 16 <= dims; i += 16) {
    for (size_t j = 0; j < 4; j++) {
      sums[j] = _mm256_fmadd_pd(wide(a + i + 4 * j), wide(b + i + 4 * j), sums[j]);
    }
  }
  double sum =
      sum_of(_mm256_add_pd(_mm256_add_pd(sums[0], sums[1]), _mm256_add_pd(sums[2], sums[3])));
  for (; i < dims; i++) sum += static_cast<double>(a[i]) * static_cast<double>(b[i]);
  return sum;
}

QUARRY_KERNEL double l2_exact(const float* a, const float* b, size_t dims) noexcept {
  __m256d sums[4] = {_mm256_setzero_pd(), _mm256_setzero_pd(), _mm256_setzero_pd(),
                     _mm256_setzero_pd()};
  size_t i = 0;
  for (; i + 16 <= dims; i += 16) {
    for (size_t j = 0; j < 4; j++) {
      const __m256d difference = _mm256_sub_pd(wide(a + i + 4 * j), wide(b + i + 4 * j));
      sums[j] = _mm256_fmadd_pd(difference, difference, sums[j]);
    }
  }
  double sum =
      sum_of(_mm256_add_pd(_mm256_add_pd(sums[0], sums[1]), _mm256_add_pd(sums[2], sums[3])));
  for (; i < dims; i++) {
    const double difference = static_cast<double>(a[i]) - static_cast<double>(b[i]);
    sum += difference * difference;
  }
  return sum;
}

QUARRY_KERNEL void add_scaled(float factor, const float* x, float* y, size_t dims) noexcept {
  const __m256 factors = _mm256_set1_ps(factor);
  size_t i = 0;
  for (; i + 8 <= dims; i += 8) {
    _mm256_storeu_ps(y + i,
                     _mm256_fmadd_ps(factors, _mm256_loadu_ps(x + i), _mm256_loadu_ps(y + i)));
  }
  for (; i < dims; i++) y[i] += factor * x[i];
}

/// vpmaddubsw would saturate for codes above 128, so even and odd bytes are widened to 16 bits and
/// multiplied by vpmaddwd, which is exact for all bytes.
QUARRY_KERNEL inline __m256i add_dot(__m256i sum, const uint8_t* row, __m256i even_query,
                                     __m256i odd_query) noexcept {
  const __m256i codes = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(row));
  const __m256i even = _mm256_and_si256(codes, _mm256_set1_epi16(0xff));
  const __m256i odd = _mm256_srli_epi16(codes, 8);
  return _mm256_add_epi32(sum, _mm256_add_epi32(_mm256_madd_epi16(even, even_query),
                                                _mm256_madd_epi16(odd, odd_query)));
}

template <size_t kWords>
QUARRY_KERNEL inline void dot_four(const uint8_t* r0, const uint8_t* r1, const uint8_t* r2,
                                   const uint8_t* r3, const int8_t* query, size_t words,
                                   int32_t* out) noexcept {
  __m256i s0 = _mm256_setzero_si256(), s1 = s0, s2 = s0, s3 = s0;
  const size_t bytes = (kWords != 0 ? kWords : words) * 64;
  for (size_t i = 0; i < bytes; i += 32) {
    const __m256i codes = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(query + i));
    const __m256i even = _mm256_srai_epi16(_mm256_slli_epi16(codes, 8), 8);
    const __m256i odd = _mm256_srai_epi16(codes, 8);
    s0 = add_dot(s0, r0 + i, even, odd);
    s1 = add_dot(s1, r1 + i, even, odd);
    s2 = add_dot(s2, r2 + i, even, odd);
    s3 = add_dot(s3, r3 + i, even, odd);
  }
  const __m256i sums = _mm256_hadd_epi32(_mm256_hadd_epi32(s0, s1), _mm256_hadd_epi32(s2, s3));
  _mm_storeu_si128(reinterpret_cast<__m128i*>(out),
                   _mm_add_epi32(_mm256_castsi256_si128(sums), _mm256_extracti128_si256(sums, 1)));
}

#include "simd/code_loops.h"

/// The lanes of eight rows whose bounds are not below `limit`; `errors`, `tails` and `norms` are
/// those of the rows.
QUARRY_KERNEL inline uint32_t reaching(const RowBound& bound, __m256 limit, const int32_t* sums,
                                       __m256 errors, __m256 tails, __m256 norms) noexcept {
  const __m256i sum = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(sums));
  const __m256 estimate = _mm256_cvtepi32_ps(_mm256_sub_epi32(sum, _mm256_set1_epi32(bound.bias)));
  __m256 value = _mm256_fmadd_ps(estimate, _mm256_set1_ps(bound.scale), _mm256_set1_ps(bound.base));
  value = _mm256_fmadd_ps(errors, _mm256_set1_ps(bound.error_factor), value);
  value = _mm256_fmadd_ps(tails, _mm256_set1_ps(bound.tail_factor), value);
  value = _mm256_fmadd_ps(_mm256_mul_ps(norms, norms), _mm256_set1_ps(bound.norm_factor), value);
  return static_cast<uint32_t>(_mm256_movemask_ps(_mm256_cmp_ps(value, limit, _CMP_NLT_UQ)));
}

inline uint32_t append_places(uint32_t lanes, uint32_t first, uint32_t* out) noexcept {
  uint32_t count = 0;
  for (; lanes != 0; lanes &= lanes - 1) {
    out[count++] = first + static_cast<uint32_t>(__builtin_ctz(lanes));
  }
  return count;
}

QUARRY_KERNEL uint32_t select(const RowBound& bound, float limit, uint32_t first, uint32_t count,
                              const int32_t* sums, uint32_t* out) noexcept {
  const __m256 limits = _mm256_set1_ps(limit), none = _mm256_setzero_ps();
  uint32_t selected = 0, i = 0;
  for (; i + 8 <= count; i += 8) {
    const size_t at = size_t{first} + i;
    const __m256 errors = _mm256_loadu_ps(bound.error + at);
    const __m256 tails = bound.tail != nullptr ? _mm256_loadu_ps(bound.tail + at) : none;
    const __m256 norms = bound.norm != nullptr ? _mm256_loadu_ps(bound.norm + at) : none;
    const uint32_t lanes = reaching(bound, limits, sums + i, errors, tails, norms);
    selected += append_places(lanes, i, out + selected);
  }
  for (; i < count; i++) {
    if (!(bound_of(bound, first + i, sums[i]) < limit)) out[selected++] = i;
  }
  return selected;
}

/// Eight loads, which are faster than vgatherdps on most processors.
QUARRY_KERNEL inline __m256 eight_of(const float* from, const uint32_t* at) noexcept {
  return _mm256_setr_ps(from[at[0]], from[at[1]], from[at[2]], from[at[3]], from[at[4]],
                        from[at[5]], from[at[6]], from[at[7]]);
}

QUARRY_KERNEL uint32_t gather_select(const RowBound& bound, float limit, const uint32_t* ordinals,
                                     uint32_t count, const int32_t* sums, uint32_t* out) noexcept {
  const __m256 limits = _mm256_set1_ps(limit), none = _mm256_setzero_ps();
  uint32_t selected = 0, i = 0;
  for (; i + 8 <= count; i += 8) {
    const __m256 errors = eight_of(bound.error, ordinals + i);
    const __m256 tails = bound.tail != nullptr ? eight_of(bound.tail, ordinals + i) : none;
    const __m256 norms = bound.norm != nullptr ? eight_of(bound.norm, ordinals + i) : none;
    const uint32_t lanes = reaching(bound, limits, sums + i, errors, tails, norms);
    selected += append_places(lanes, i, out + selected);
  }
  for (; i < count; i++) {
    if (!(bound_of(bound, ordinals[i], sums[i]) < limit)) out[selected++] = i;
  }
  return selected;
}

}  // namespace

const Kernels* avx2_kernels() {
  static constexpr Kernels kTable = {Isa::kAvx2,   "avx2",   dot,          l2,
                                     dot_exact,    l2_exact, add_scaled,   dot_codes,
                                     gather_codes, select,   gather_select};
  return &kTable;
}

}  // namespace quarry::simd

#else

namespace quarry::simd {
const Kernels* avx2_kernels() { return nullptr; }
}  // namespace quarry::simd

#endif
