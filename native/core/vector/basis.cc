#include "vector/basis.h"

#include <algorithm>
#include <cmath>

#include "simd/kernels.h"

namespace quarry {
namespace {

constexpr uint64_t kSeed = 42;
constexpr int kRounds = 6;
/// Between rounds the directions only need to stay distinct; the error that remains after the last
/// round is included in defect().
constexpr int kPasses = 1;
constexpr int kLastPasses = 3;

/// The number of rows of the sample that are transposed and summed at a time, so that they stay in
/// the second-level cache while each pair of their columns is multiplied.
constexpr size_t kSampledTogether = 512;

/// A direction whose length shrinks below this share during orthogonalization is noise.
constexpr double kLeastShare = 1e-3;

/// Adds the upper triangle of the sum of x x' over rows x.
void add_moments(std::span<const float> sample, size_t dims, std::vector<float>& moments) {
  const simd::Kernels& kernels = simd::kernels();
  const size_t rows = sample.size() / dims;
  std::vector<float> columns(dims * std::min(rows, kSampledTogether));
  for (size_t first = 0; first < rows; first += kSampledTogether) {
    const size_t count = std::min(kSampledTogether, rows - first);
    for (size_t row = 0; row < count; row++) {
      const float* x = sample.data() + (first + row) * dims;
      for (size_t i = 0; i < dims; i++) columns[i * count + row] = x[i];
    }
    for (size_t i = 0; i < dims; i++) {
      const float* column = columns.data() + i * count;
      for (size_t j = i; j < dims; j++) {
        moments[i * dims + j] += kernels.dot(column, columns.data() + j * count, count);
      }
    }
  }
}

}  // namespace

PrincipalBasis::PrincipalBasis(std::span<const float> sample, uint32_t dims,
                               std::span<const float> centre)
    : dims_(dims), moments_(size_t{dims} * dims), random_(kSeed) {
  add_moments(sample, dims, moments_);
  const auto rows = static_cast<float>(sample.size() / dims);
  for (size_t i = 0; i < dims; i++) {
    for (size_t j = i; j < dims; j++) {
      const float sum = moments_[i * dims + j] / rows + centre[i] * centre[j];
      moments_[i * dims + j] = sum;
      moments_[j * dims + i] = sum;
    }
  }
}

void PrincipalBasis::refill(float* row) {
  for (size_t i = 0; i < dims_; i++) {
    row[i] = static_cast<float>(static_cast<double>(random_.next() >> 11) * 0x1p-53 - 0.5);
  }
}

/// Gram-Schmidt against all rows before it; two passes suffice for float precision (Giraud et al.
/// 2005).
void PrincipalBasis::orthonormalise(uint32_t row, int passes) {
  const simd::Kernels& kernels = simd::kernels();
  const size_t dims = dims_;
  float* x = rows_.data() + row * dims;
  const auto scale_to_unit = [&] {
    const double norm = std::sqrt(kernels.dot_exact(x, x, dims));
    if (norm > 0) {
      const double inverse = 1 / norm;
      for (size_t i = 0; i < dims; i++) {
        x[i] = static_cast<float>(static_cast<double>(x[i]) * inverse);
      }
    }
    return norm;
  };
  for (;; refill(x)) {
    double left = scale_to_unit() > 0 ? 1 : 0;
    for (int pass = 0; pass < passes; pass++) {
      for (uint32_t other = 0; other < row; other++) {
        const float* y = rows_.data() + other * dims;
        kernels.add_scaled(-static_cast<float>(kernels.dot_exact(x, y, dims)), y, x, dims);
      }
      left *= scale_to_unit();
    }
    if (left > kLeastShare) return;
  }
}

void PrincipalBasis::grow(uint32_t count) {
  const simd::Kernels& kernels = simd::kernels();
  const size_t dims = dims_;
  const uint32_t first = size();
  rows_.resize((size_t{first} + count) * dims);
  for (uint32_t i = first; i < first + count; i++) refill(rows_.data() + i * dims);
  std::vector<float> image(count * dims);
  for (int round = 0; round < kRounds; round++) {
    const int passes = round + 1 < kRounds ? kPasses : kLastPasses;
    std::fill(image.begin(), image.end(), 0.0F);
    for (size_t j = 0; j < dims; j++) {  // the matrix is read once for all directions
      for (uint32_t i = 0; i < count; i++) {
        kernels.add_scaled(rows_[(first + i) * dims + j], moments_.data() + j * dims,
                           image.data() + i * dims, dims);
      }
    }
    std::copy(image.begin(), image.end(), rows_.begin() + static_cast<ptrdiff_t>(first * dims));
    for (uint32_t i = first; i < first + count; i++) orthonormalise(i, passes);
  }
}

double PrincipalBasis::defect() const {
  const simd::Kernels& kernels = simd::kernels();
  double squares = 0;  // the Frobenius norm is an upper bound of the spectral norm
  for (uint32_t i = 0; i < size(); i++) {
    for (uint32_t j = 0; j <= i; j++) {
      const float* x = rows_.data() + size_t{i} * dims_;
      const double product = kernels.dot_exact(x, rows_.data() + size_t{j} * dims_, dims_);
      const double off = i == j ? product - 1 : product;
      squares += i == j ? off * off : 2 * off * off;
    }
  }
  return std::sqrt(squares);
}

}  // namespace quarry
