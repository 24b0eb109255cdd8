#include "vector/plane_encoder.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "base/coding.h"
#include "simd/kernels.h"

namespace quarry {
namespace {

constexpr float kCodeLimit = 127;
constexpr uint8_t kZeroCode = 128;
constexpr uint32_t kRowsPerPoll = 256;

float rounded_up(double value) { return static_cast<float>(value * (1 + 1e-6) + 1e-30); }

/// What coding leaves out of a vector, and the sum of its squared codes.
struct Loss {
  double error = 0;
  int64_t code_squares = 0;
};

/// Values to codes. Plain loops without branches, so that a compiler can use vectors.
Loss encode(const float* values, size_t count, float step, uint8_t* codes) noexcept {
  const float inverse = 1 / step;
  double squares = 0;
  int32_t code_squares = 0;
  for (size_t i = 0; i < count; i++) {
    const float scaled = std::min(std::max(values[i] * inverse, -kCodeLimit), kCodeLimit);
    const auto code = static_cast<int32_t>(scaled + std::copysign(0.5F, scaled));
    codes[i] = static_cast<uint8_t>(code + kZeroCode);
    code_squares += code * code;
    const double left = static_cast<double>(values[i]) - code * static_cast<double>(step);
    squares += left * left;
  }
  return {std::sqrt(squares), code_squares};
}

class Encoder {
 public:
  Encoder(const VectorSpace& space, uint32_t count)
      : space_(space),
        centred_(space.dims),
        projected_(space.sketch_dims),
        slack_share_(float_dot_slack(space.dims) *
                         std::sqrt(static_cast<double>(space.sketch_dims)) +
                     0x1p-23) {
    out_.size = count;
    out_.full.assign(size_t{count} * full_stride(space.dims), kZeroCode);
    out_.sketch.resize(size_t{count} * space.sketch_dims);
    out_.bounds.resize(bounds_bytes(count, space.sketch_dims != 0));
  }

  void add(const float* row) noexcept {
    double squares = 0;
    for (size_t i = 0; i < space_.dims; i++) {
      centred_[i] = row[i] - space_.mean[i];
      squares += static_cast<double>(centred_[i]) * static_cast<double>(centred_[i]);
    }
    const double norm = std::sqrt(squares) * (1 + 0x1p-22);  // the differences were rounded
    out_.max_norm = std::max(out_.max_norm, rounded_up(norm));
    add_full(norm);
    if (space_.sketch_dims != 0) add_sketch(norm);
    at_++;
  }

  EncodedPlanes take() { return std::move(out_); }

 private:
  /// Slot of the row in the `array`-th array of bounds.
  uint8_t* bound(size_t array) noexcept {
    return out_.bounds.data() + (array * out_.size + at_) * sizeof(float);
  }

  void add_full(double norm) noexcept {
    const Loss loss = encode(centred_.data(), space_.dims, space_.full_step,
                             out_.full.data() + at_ * full_stride(space_.dims));
    const float error = rounded_up(loss.error + norm * 0x1p-23);
    store(bound(0), error);
    store(bound(1), static_cast<int32_t>(-(loss.code_squares + 1) / 2));
    out_.max_full_error = std::max(out_.max_full_error, error);
  }

  /// The projection is summed in floats: `off` is how far it may be from the true one.
  void add_sketch(double norm) noexcept {
    const simd::Kernels& kernels = simd::kernels();
    const uint32_t width = space_.sketch_dims;
    for (uint32_t i = 0; i < width; i++) {
      projected_[i] =
          kernels.dot(space_.basis.data() + size_t{i} * space_.dims, centred_.data(), space_.dims);
    }
    const double off = slack_share_ * norm;
    const Loss loss =
        encode(projected_.data(), width, space_.sketch_step, out_.sketch.data() + at_ * width);
    const double inside = std::sqrt(kernels.dot_exact(projected_.data(), projected_.data(), width));
    const double least = std::max(0.0, inside - off);
    const double tail =
        norm * norm - least * least * (1 - static_cast<double>(space_.basis_defect));
    store(bound(2), rounded_up(loss.error + off));
    store(bound(3), rounded_up(std::sqrt(std::max(0.0, tail))));
  }

  const VectorSpace& space_;
  EncodedPlanes out_;
  size_t at_ = 0;
  std::vector<float> centred_;
  std::vector<float> projected_;
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
  Encoder encoder(space, rows.size());
  for (uint32_t begin = 0; begin < rows.size(); begin += kRowsPerPoll) {
    if (called_off(work)) {
      return Status(ErrorType::kRejected, "coding of vectors was called off");
    }
    const uint32_t end = std::min(rows.size(), begin + kRowsPerPoll);
    for (uint32_t i = begin; i < end; i++) encoder.add(rows[i]);
    if (passed != nullptr) passed(begin, end);
  }
  return encoder.take();
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
