// Distance kernels, with one table per instruction set, selected once at start. Integer kernels
// give the same results on every instruction set; float kernels differ in the last digits only.
// Pointers need no alignment.
#pragma once

#include <cstddef>
#include <cstdint>

namespace quarry::simd {

enum class Isa : uint8_t { kScalar, kAvx2, kAvxVnni, kAvx512, kNeon };

/// Rows of u8 codes (value + 128), `stride` bytes apart; strides are multiples of 64, padding bytes
/// are 128.
struct CodeRows {
  const uint8_t* base = nullptr;
  size_t stride = 0;
  const uint8_t* row(uint32_t ordinal) const { return base + ordinal * stride; }
};

/// Upper bounds of rows, computed from sums of their codes:
///   base + scale * (sum - bias) + error_factor * error + tail_factor * tail + norm_factor * norm^2
/// The arrays are indexed by ordinal; tail and norm may be null.
struct RowBound {
  int32_t bias = 0;
  float scale = 0;
  float base = 0;
  const float* error = nullptr;
  float error_factor = 0;
  const float* tail = nullptr;
  float tail_factor = 0;
  const float* norm = nullptr;
  float norm_factor = 0;
};

/// All functions are noexcept, thread-safe and allocate nothing.
struct Kernels {
  Isa isa = Isa::kScalar;
  const char* name = "";

  /// Sum of a[i] * b[i]; float32 accumulators.
  float (*dot)(const float* a, const float* b, size_t dims);
  /// Sum of (a[i] - b[i])^2; float32 accumulators.
  float (*l2)(const float* a, const float* b, size_t dims);
  /// The same with double accumulators, used for `_score`, which must not depend on how a document
  /// was found.
  double (*dot_exact)(const float* a, const float* b, size_t dims);
  double (*l2_exact)(const float* a, const float* b, size_t dims);
  /// y[i] += factor * x[i].
  void (*add_scaled)(float factor, const float* x, float* y, size_t dims);

  /// out[i] = sum over the row of u8 code * s8 query code, for rows [first, first + count).
  void (*dot_codes)(CodeRows rows, uint32_t first, uint32_t count, const int8_t* query,
                    int32_t* out);
  /// The same for the rows `ordinals[0 .. count)`; subsequent rows are prefetched.
  void (*gather_codes)(CodeRows rows, const uint32_t* ordinals, uint32_t count, const int8_t* query,
                       int32_t* out);

  /// Stores the positions i in [0, count) for which the bound of row first + i, whose sum is
  /// sums[i], is not below `limit`, in ascending order. `out` must have room for count + 16.
  /// Returns their number.
  uint32_t (*select)(const RowBound& bound, float limit, uint32_t first, uint32_t count,
                     const int32_t* sums, uint32_t* out);
  /// The same for the rows `ordinals[0 .. count)`.
  uint32_t (*gather_select)(const RowBound& bound, float limit, const uint32_t* ordinals,
                            uint32_t count, const int32_t* sums, uint32_t* out);
};

/// The bound of one row.
inline float bound_of(const RowBound& bound, uint32_t ordinal, int32_t sum) {
  float value = bound.base + bound.scale * static_cast<float>(sum - bound.bias) +
                bound.error_factor * bound.error[ordinal];
  if (bound.tail != nullptr) value += bound.tail_factor * bound.tail[ordinal];
  if (bound.norm != nullptr) {
    value += bound.norm_factor * (bound.norm[ordinal] * bound.norm[ordinal]);
  }
  return value;
}

/// The best table that this processor can run.
const Kernels& kernels();
/// The table of an instruction set, for tests and benchmarks; null when this processor or build
/// lacks it.
const Kernels* kernels_of(Isa isa);

/// Prefetches the `bytes` bytes at `at`.
inline void prefetch(const void* at, size_t bytes) {
  const char* line = static_cast<const char*>(at);
  for (size_t offset = 0; offset < bytes; offset += 64) __builtin_prefetch(line + offset);
}

}  // namespace quarry::simd
