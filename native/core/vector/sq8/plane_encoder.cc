#include "vector/sq8/plane_encoder.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/coding.h"
#include "simd/kernels.h"

namespace quarry {
namespace {

constexpr float kRowCodeLimit = 127;
constexpr uint8_t kZeroCode = 128;
constexpr uint32_t kRowsPerPoll = 256;

float stored_bound(double value) { return static_cast<float>(value * (1 + 1e-6) + 1e-30); }

/// The error of coding a vector, and the sum of its squared codes.
struct Loss {
  double error = 0;
  int64_t code_squares = 0;
};

constexpr size_t kSumLanes = 8;  // independent sums, which a compiler can vectorize

/// The number of rows that are projected together, so that the basis is read once for all of them.
constexpr uint32_t kRowsTogether = 8;

double sum_of(const double (&lanes)[kSumLanes]) {
  return std::accumulate(lanes, lanes + kSumLanes, 0.0);
}

/// Encodes values. The loops have no branches, so that a compiler can vectorize them.
Loss encode_row(const float* values, size_t count, float step, uint8_t* codes) noexcept {
  const float inverse = 1 / step;
  double squares[kSumLanes] = {};
  int32_t code_squares = 0;
  const auto encode_one = [&](size_t i, size_t lane) {
    const float scaled = std::min(std::max(values[i] * inverse, -kRowCodeLimit), kRowCodeLimit);
    const auto code = static_cast<int32_t>(scaled + std::copysign(0.5F, scaled));
    codes[i] = static_cast<uint8_t>(code + kZeroCode);
    code_squares += code * code;
    const double left = static_cast<double>(values[i]) - code * static_cast<double>(step);
    squares[lane] += left * left;
  };
  size_t i = 0;
  for (; i + kSumLanes <= count; i += kSumLanes) {
    for (size_t lane = 0; lane < kSumLanes; lane++) encode_one(i + lane, lane);
  }
  for (; i < count; i++) encode_one(i, 0);
  return {std::sqrt(sum_of(squares)), code_squares};
}

class Encoder {
 public:
  Encoder(const VectorSpace& space, uint32_t count, bool full)
      : space_(space),
        centred_(size_t{space.dims} * kRowsTogether),
        projected_(size_t{space.sketch_dims} * kRowsTogether),
        slack_share_(float_dot_slack(space.dims) *
                         std::sqrt(static_cast<double>(space.sketch_dims)) +
                     0x1p-23) {
    out_.size = count;
    if (full) out_.full.assign(size_t{count} * full_stride(space.dims), kZeroCode);
    out_.sketch.resize(size_t{count} * space.sketch_dims);
    out_.bounds.resize(bounds_bytes(count, space.sketch_dims != 0));
  }

  /// Adds at most kRowsTogether rows from `begin` on.
  void add(const VectorRows& rows, uint32_t begin, uint32_t end) noexcept {
    const size_t dims = space_.dims;
    for (uint32_t i = begin; i < end; i++) {
      float* centred = centred_.data() + (i - begin) * dims;
      for (size_t d = 0; d < dims; d++) centred[d] = rows[i][d] - space_.mean[d];
    }
    if (space_.sketch_dims != 0) project(end - begin);
    for (uint32_t i = begin; i < end; i++) {
      const float* centred = centred_.data() + (i - begin) * dims;
      const double norm = norm_around({centred, dims});
      add_full(i, centred, norm);
      if (space_.sketch_dims != 0) {
        add_sketch(i, projected_.data() + size_t{i - begin} * space_.sketch_dims, norm);
      }
    }
  }

  /// `projected` are sums of floats; `off` bounds their error.
  void add_sketch(uint32_t at, const float* projected, double norm) noexcept {
    const simd::Kernels& kernels = simd::kernels();
    const uint32_t width = space_.sketch_dims;
    out_.max_norm = std::max(out_.max_norm, stored_bound(norm));
    const double off = slack_share_ * norm;
    const Loss loss =
        encode_row(projected, width, space_.sketch_step, out_.sketch.data() + size_t{at} * width);
    const double inside = std::sqrt(kernels.dot_exact(projected, projected, width));
    const double least = std::max(0.0, inside - off);
    const double tail =
        norm * norm - least * least * (1 - static_cast<double>(space_.basis_defect));
    store(bound(2, at), stored_bound(loss.error + off));
    store(bound(3, at), stored_bound(std::sqrt(std::max(0.0, tail))));
  }

  EncodedPlanes take() { return std::move(out_); }

 private:
  /// The slot of row `at` in the array of bounds with index `array`.
  uint8_t* bound(size_t array, uint32_t at) noexcept {
    return out_.bounds.data() + (array * out_.size + at) * sizeof(float);
  }

  void add_full(uint32_t at, const float* centred, double norm) noexcept {
    const Loss loss = encode_row(centred, space_.dims, space_.full_step,
                                 out_.full.data() + at * full_stride(space_.dims));
    const float error = stored_bound(loss.error + norm * 0x1p-23);
    store(bound(0, at), error);
    store(bound(1, at), static_cast<int32_t>(-(loss.code_squares + 1) / 2));
    out_.max_full_error = std::max(out_.max_full_error, error);
    out_.max_norm = std::max(out_.max_norm, stored_bound(norm));
  }

  void project(uint32_t count) noexcept {
    const simd::Kernels& kernels = simd::kernels();
    const size_t dims = space_.dims;
    for (size_t i = 0; i < space_.sketch_dims; i++) {
      const float* direction = space_.basis.data() + i * dims;
      for (size_t row = 0; row < count; row++) {
        projected_[row * space_.sketch_dims + i] =
            kernels.dot(direction, centred_.data() + row * dims, dims);
      }
    }
  }

  const VectorSpace& space_;
  EncodedPlanes out_;
  std::vector<float> centred_;    // rows that are encoded together
  std::vector<float> projected_;  // their coordinates
  double slack_share_;
};

}  // namespace

uint64_t bounds_bytes(uint32_t size, bool sketch) {
  return uint64_t{size} * sizeof(float) * (sketch ? 4 : 2);
}

size_t full_stride(uint32_t dims) { return (size_t{dims} + 63) / 64 * 64; }

void bind_bounds(CodePlanes& planes, const uint8_t* bounds) {
  const auto* floats = reinterpret_cast<const float*>(bounds);
  planes.full_error = floats;
  planes.half_norm = reinterpret_cast<const int32_t*>(bounds) + planes.size;
  if (planes.sketch_dims == 0) return;
  planes.sketch_error = floats + size_t{2} * planes.size;
  planes.tail = floats + size_t{3} * planes.size;
}

Result<EncodedPlanes> encode_planes(const VectorSpace& space, const VectorRows& rows,
                                    LongWork* work, const RowsPassed& passed) {
  Encoder encoder(space, rows.size(), true);
  for (uint32_t begin = 0; begin < rows.size(); begin += kRowsPerPoll) {
    if (called_off(work)) {
      return Status(ErrorType::kRejected, "coding of vectors was called off");
    }
    const uint32_t end = std::min(rows.size(), begin + kRowsPerPoll);
    for (uint32_t i = begin; i < end; i += kRowsTogether) {
      encoder.add(rows, i, std::min(end, i + kRowsTogether));
    }
    if (passed != nullptr) passed(begin, end);
  }
  return encoder.take();
}

EncodedPlanes encode_sketches(const VectorSpace& space, std::span<const float> coordinates,
                              size_t stride, std::span<const double> norms) {
  const auto count = static_cast<uint32_t>(norms.size());
  Encoder encoder(space, count, false);
  for (uint32_t i = 0; i < count; i++) {
    encoder.add_sketch(i, coordinates.data() + i * stride, norms[i]);
  }
  return encoder.take();
}

double norm_around(std::span<const float> centred) {
  double squares[kSumLanes] = {};
  size_t i = 0;
  for (; i + kSumLanes <= centred.size(); i += kSumLanes) {
    for (size_t lane = 0; lane < kSumLanes; lane++) {
      const auto value = static_cast<double>(centred[i + lane]);
      squares[lane] += value * value;
    }
  }
  for (; i < centred.size(); i++) {
    squares[0] += static_cast<double>(centred[i]) * static_cast<double>(centred[i]);
  }
  return std::sqrt(sum_of(squares)) * (1 + 0x1p-22);
}

CodePlanes planes_of(const VectorSpace& space, const EncodedPlanes& encoded) {
  CodePlanes planes;
  planes.size = encoded.size;
  planes.dims = space.dims;
  planes.sketch_dims = space.sketch_dims;
  planes.full = {encoded.full.data(), full_stride(space.dims)};
  planes.sketch = {encoded.sketch.data(), space.sketch_dims};
  planes.full_step = space.full_step;
  planes.sketch_step = space.sketch_step;
  planes.mean = space.mean.data();
  planes.basis = space.basis.data();
  bind_bounds(planes, encoded.bounds.data());
  planes.max_full_error = encoded.max_full_error;
  planes.max_norm = encoded.max_norm;
  planes.basis_defect = space.basis_defect;
  planes.sketch_survivors = space.sketch_survivors;
  return planes;
}

}  // namespace quarry
