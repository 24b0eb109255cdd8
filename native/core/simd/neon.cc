// Kernels for 64-bit ARM with NEON.
#include "simd/kernel_tables.h"

#if defined(__aarch64__)
#include <arm_neon.h>

#define QUARRY_KERNEL

namespace quarry::simd {
namespace {

float dot(const float* a, const float* b, size_t dims) noexcept {
  float32x4_t sums[4] = {vdupq_n_f32(0), vdupq_n_f32(0), vdupq_n_f32(0), vdupq_n_f32(0)};
  size_t i = 0;
  for (; i + 16 <= dims; i += 16) {
    for (size_t j = 0; j < 4; j++) {
      sums[j] = vfmaq_f32(sums[j], vld1q_f32(a + i + 4 * j), vld1q_f32(b + i + 4 * j));
    }
  }
  float sum = vaddvq_f32(vaddq_f32(vaddq_f32(sums[0], sums[1]), vaddq_f32(sums[2], sums[3])));
  for (; i < dims; i++) sum += a[i] * b[i];
  return sum;
}

float l2(const float* a, const float* b, size_t dims) noexcept {
  float32x4_t sums[4] = {vdupq_n_f32(0), vdupq_n_f32(0), vdupq_n_f32(0), vdupq_n_f32(0)};
  size_t i = 0;
  for (; i + 16 <= dims; i += 16) {
    for (size_t j = 0; j < 4; j++) {
      const float32x4_t difference = vsubq_f32(vld1q_f32(a + i + 4 * j), vld1q_f32(b + i + 4 * j));
      sums[j] = vfmaq_f32(sums[j], difference, difference);
    }
  }
  float sum = vaddvq_f32(vaddq_f32(vaddq_f32(sums[0], sums[1]), vaddq_f32(sums[2], sums[3])));
  for (; i < dims; i++) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return sum;
}

double dot_exact(const float* a, const float* b, size_t dims) noexcept {
  float64x2_t low = vdupq_n_f64(0), high = low;
  size_t i = 0;
  for (; i + 4 <= dims; i += 4) {
    const float32x4_t x = vld1q_f32(a + i), y = vld1q_f32(b + i);
    low = vfmaq_f64(low, vcvt_f64_f32(vget_low_f32(x)), vcvt_f64_f32(vget_low_f32(y)));
    high = vfmaq_f64(high, vcvt_high_f64_f32(x), vcvt_high_f64_f32(y));
  }
  double sum = vaddvq_f64(vaddq_f64(low, high));
  for (; i < dims; i++) sum += static_cast<double>(a[i]) * static_cast<double>(b[i]);
  return sum;
}

double l2_exact(const float* a, const float* b, size_t dims) noexcept {
  float64x2_t low = vdupq_n_f64(0), high = low;
  size_t i = 0;
  for (; i + 4 <= dims; i += 4) {
    const float32x4_t x = vld1q_f32(a + i), y = vld1q_f32(b + i);
    const float64x2_t d0 = vsubq_f64(vcvt_f64_f32(vget_low_f32(x)), vcvt_f64_f32(vget_low_f32(y)));
    const float64x2_t d1 = vsubq_f64(vcvt_high_f64_f32(x), vcvt_high_f64_f32(y));
    low = vfmaq_f64(low, d0, d0);
    high = vfmaq_f64(high, d1, d1);
  }
  double sum = vaddvq_f64(vaddq_f64(low, high));
  for (; i < dims; i++) {
    const double difference = static_cast<double>(a[i]) - static_cast<double>(b[i]);
    sum += difference * difference;
  }
  return sum;
}

void add_scaled(float factor, const float* x, float* y, size_t dims) noexcept {
  size_t i = 0;
  for (; i + 4 <= dims; i += 4)
    vst1q_f32(y + i, vfmaq_n_f32(vld1q_f32(y + i), vld1q_f32(x + i), factor));
  for (; i < dims; i++) y[i] += factor * x[i];
}

/// Subtracts 128 from the codes to get signed bytes: two products of at most 128 * 127 fit into 16
/// bits, so the sums are exact. The omitted contribution of the 128 is the same for every row.
inline int32x4_t add_dot(int32x4_t sum, const uint8_t* row, int8x16_t query) noexcept {
  const int8x16_t codes = vreinterpretq_s8_u8(veorq_u8(vld1q_u8(row), vdupq_n_u8(128)));
  const int16x8_t products =
      vmlal_high_s8(vmull_s8(vget_low_s8(codes), vget_low_s8(query)), codes, query);
  return vpadalq_s16(sum, products);
}

template <size_t kWords>
inline void dot_four(const uint8_t* r0, const uint8_t* r1, const uint8_t* r2, const uint8_t* r3,
                     const int8_t* query, size_t words, int32_t* out) noexcept {
  int32x4_t s0 = vdupq_n_s32(0), s1 = s0, s2 = s0, s3 = s0, total = s0;
  const size_t bytes = (kWords != 0 ? kWords : words) * 64;
  for (size_t i = 0; i < bytes; i += 16) {
    const int8x16_t codes = vld1q_s8(query + i);
    s0 = add_dot(s0, r0 + i, codes);
    s1 = add_dot(s1, r1 + i, codes);
    s2 = add_dot(s2, r2 + i, codes);
    s3 = add_dot(s3, r3 + i, codes);
    total = vpadalq_s16(total, vpaddlq_s8(codes));
  }
  const int32x4_t sums = vpaddq_s32(vpaddq_s32(s0, s1), vpaddq_s32(s2, s3));
  vst1q_s32(out, vaddq_s32(sums, vdupq_n_s32(128 * vaddvq_s32(total))));
}

#include "simd/code_loops.h"

}  // namespace

const Kernels* neon_kernels() {
  // Selection uses the scalar functions: compilers vectorise their bounds to four lanes.
  static const Kernels table = {Isa::kNeon,
                                "neon",
                                dot,
                                l2,
                                dot_exact,
                                l2_exact,
                                add_scaled,
                                dot_codes,
                                gather_codes,
                                scalar_kernels()->select,
                                scalar_kernels()->gather_select};
  return &table;
}

}  // namespace quarry::simd

#else

namespace quarry::simd {
const Kernels* neon_kernels() { return nullptr; }
}  // namespace quarry::simd

#endif
