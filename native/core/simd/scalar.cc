// The reference implementation for all other instruction sets. Sums run in lanes, so that a
// compiler can use the vectors of the base architecture.
#include "simd/kernel_tables.h"

namespace quarry::simd {
namespace {

constexpr size_t kLanes = 8;

template <typename Sum>
Sum sum_lanes(const Sum (&lanes)[kLanes]) noexcept {
  Sum sum = 0;
  for (const Sum lane : lanes) sum += lane;
  return sum;
}

template <typename Sum>
Sum dot_in(const float* a, const float* b, size_t dims) noexcept {
  Sum lanes[kLanes] = {};
  size_t i = 0;
  for (; i + kLanes <= dims; i += kLanes) {
    for (size_t j = 0; j < kLanes; j++) {
      lanes[j] += static_cast<Sum>(a[i + j]) * static_cast<Sum>(b[i + j]);
    }
  }
  Sum tail = 0;
  for (; i < dims; i++) tail += static_cast<Sum>(a[i]) * static_cast<Sum>(b[i]);
  return sum_lanes(lanes) + tail;
}

template <typename Sum>
Sum l2_in(const float* a, const float* b, size_t dims) noexcept {
  Sum lanes[kLanes] = {};
  size_t i = 0;
  for (; i + kLanes <= dims; i += kLanes) {
    for (size_t j = 0; j < kLanes; j++) {
      const Sum difference = static_cast<Sum>(a[i + j]) - static_cast<Sum>(b[i + j]);
      lanes[j] += difference * difference;
    }
  }
  Sum tail = 0;
  for (; i < dims; i++) {
    const Sum difference = static_cast<Sum>(a[i]) - static_cast<Sum>(b[i]);
    tail += difference * difference;
  }
  return sum_lanes(lanes) + tail;
}

float dot(const float* a, const float* b, size_t dims) noexcept {
  return dot_in<float>(a, b, dims);
}
float l2(const float* a, const float* b, size_t dims) noexcept { return l2_in<float>(a, b, dims); }
double dot_exact(const float* a, const float* b, size_t dims) noexcept {
  return dot_in<double>(a, b, dims);
}
double l2_exact(const float* a, const float* b, size_t dims) noexcept {
  return l2_in<double>(a, b, dims);
}

void add_scaled(float factor, const float* x, float* y, size_t dims) noexcept {
  for (size_t i = 0; i < dims; i++) y[i] += factor * x[i];
}

int32_t dot_row(const uint8_t* row, const int8_t* query, size_t bytes) noexcept {
  int32_t sum = 0;
  for (size_t i = 0; i < bytes; i++) sum += int32_t{row[i]} * int32_t{query[i]};
  return sum;
}

void dot_codes(CodeRows rows, uint32_t first, uint32_t count, const int8_t* query,
               int32_t* out) noexcept {
  for (uint32_t i = 0; i < count; i++) out[i] = dot_row(rows.row(first + i), query, rows.stride);
}

void gather_codes(CodeRows rows, const uint32_t* ordinals, uint32_t count, const int8_t* query,
                  int32_t* out) noexcept {
  constexpr uint32_t kAhead = 8;
  for (uint32_t i = 0; i < count; i++) {
    if (i + kAhead < count) prefetch(rows.row(ordinals[i + kAhead]), rows.stride);
    out[i] = dot_row(rows.row(ordinals[i]), query, rows.stride);
  }
}

uint32_t select(const RowBound& bound, float limit, uint32_t first, uint32_t count,
                const int32_t* sums, uint32_t* out) noexcept {
  uint32_t selected = 0;
  for (uint32_t i = 0; i < count; i++) {
    out[selected] = i;
    selected += bound_of(bound, first + i, sums[i]) < limit ? 0 : 1;
  }
  return selected;
}

uint32_t gather_select(const RowBound& bound, float limit, const uint32_t* ordinals, uint32_t count,
                       const int32_t* sums, uint32_t* out) noexcept {
  uint32_t selected = 0;
  for (uint32_t i = 0; i < count; i++) {
    out[selected] = i;
    selected += bound_of(bound, ordinals[i], sums[i]) < limit ? 0 : 1;
  }
  return selected;
}

}  // namespace

const Kernels* scalar_kernels() {
  static constexpr Kernels kTable = {Isa::kScalar, "scalar", dot,          l2,
                                     dot_exact,    l2_exact, add_scaled,   dot_codes,
                                     gather_codes, select,   gather_select};
  return &kTable;
}

}  // namespace quarry::simd
