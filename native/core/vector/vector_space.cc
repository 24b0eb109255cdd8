#include "vector/vector_space.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "simd/kernels.h"
#include "vector/basis.h"
#include "vector/plane_encoder.h"
#include "vector/sketch_trial.h"

namespace quarry {
namespace {

constexpr uint32_t kMostSample = 4000;
constexpr uint32_t kLeastSample = 1024;
/// Multiplications that the moments of the sample may take: above about 2,000 dimensions the sample
/// shrinks.
constexpr uint64_t kSampleWork = 16'000'000'000;

constexpr uint32_t kSketchBlock = 64;  // one line of the cache
constexpr uint32_t kMostSketch = 256;
/// A sketch that holds this share of the spread rules out all but a few rows (vector.md 4.6).
constexpr double kEnoughEnergy = 0.83;
/// A sketch that leaves more rows than this to plane F costs more than it saves.
constexpr float kMostSurvivors = 0.25F;

/// Values beyond this quantile are clamped: finer codes for all others.
constexpr double kStepQuantile = 0.9999;
constexpr float kCodeLimit = 127;
constexpr float kLeastStep = 1e-30F;

uint32_t sample_size(uint32_t count, uint32_t dims) {
  const uint64_t affordable = kSampleWork / (uint64_t{dims} * dims);
  const auto most =
      static_cast<uint32_t>(std::clamp<uint64_t>(affordable, kLeastSample, kMostSample));
  return std::min(count, most);
}

std::vector<float> evenly_spaced(const float* rows, uint32_t count, uint32_t dims) {
  const uint32_t size = sample_size(count, dims);
  std::vector<float> sample(size_t{size} * dims);
  for (uint32_t i = 0; i < size; i++) {
    const float* row = rows + uint64_t{i} * count / size * dims;
    std::copy_n(row, dims, sample.begin() + static_cast<ptrdiff_t>(size_t{i} * dims));
  }
  return sample;
}

std::vector<float> mean_of(std::span<const float> sample, uint32_t dims) {
  std::vector<double> sums(dims);
  for (size_t at = 0; at < sample.size(); at += dims) {
    for (size_t i = 0; i < dims; i++) sums[i] += static_cast<double>(sample[at + i]);
  }
  const double rows = static_cast<double>(sample.size() / dims);
  std::vector<float> mean(dims);
  for (size_t i = 0; i < dims; i++) mean[i] = static_cast<float>(sums[i] / rows);
  return mean;
}

/// The step at which the codes reach the quantile of the values' sizes.
float step_of(std::vector<float> sizes) {
  for (float& size : sizes) size = std::abs(size);
  const auto at = static_cast<ptrdiff_t>(static_cast<double>(sizes.size() - 1) * kStepQuantile);
  std::nth_element(sizes.begin(), sizes.begin() + at, sizes.end());
  float most = sizes[static_cast<size_t>(at)];
  if (!(most > 0)) most = *std::max_element(sizes.begin(), sizes.end());
  return std::max(most / kCodeLimit, kLeastStep);
}

double sum_of_squares(std::span<const float> values) {
  double sum = 0;
  for (const float value : values) sum += static_cast<double>(value) * static_cast<double>(value);
  return sum;
}

/// Appends the coordinates of the sample on `count` rows of the basis from `first` on.
void project(std::span<const float> sample, std::span<const float> basis, uint32_t dims,
             std::vector<float>& out) {
  const simd::Kernels& kernels = simd::kernels();
  for (size_t at = 0; at < sample.size(); at += dims) {
    for (size_t row = 0; row < basis.size(); row += dims) {
      out.push_back(kernels.dot(sample.data() + at, basis.data() + row, dims));
    }
  }
}

/// Widens the sketch until it holds enough of the spread, or would be no shorter than plane F.
void train_sketch(std::span<const float> centred, double spread, VectorSpace& space) {
  const uint32_t dims = space.dims;
  const size_t widest = std::min<size_t>({kMostSketch, dims, full_stride(dims) * 2 / 3});
  if (widest < kSketchBlock || !(spread > 0)) return;
  PrincipalBasis basis(centred, dims, space.mean);
  std::vector<float> coordinates;
  while (basis.size() + kSketchBlock <= widest) {
    basis.grow(kSketchBlock);
    const std::span<const float> rows = basis.rows();
    project(centred, rows.last(size_t{kSketchBlock} * dims), dims, coordinates);
    if (sum_of_squares(coordinates) >= kEnoughEnergy * spread) break;
  }
  space.sketch_dims = basis.size();
  space.basis_defect = static_cast<float>(basis.defect() * (1 + 1e-6));
  space.basis = std::move(basis.rows());
  space.sketch_step = step_of(std::move(coordinates));
}

}  // namespace

VectorSpace train_space(const float* rows, uint32_t count, uint32_t dims,
                        VectorSimilarity similarity) {
  VectorSpace space;
  space.dims = dims;
  const std::vector<float> sample = evenly_spaced(rows, count, dims);
  space.mean = mean_of(sample, dims);
  std::vector<float> centred = sample;
  for (size_t at = 0; at < centred.size(); at += dims) {
    for (size_t i = 0; i < dims; i++) centred[at + i] -= space.mean[i];
  }
  space.full_step = step_of(centred);
  train_sketch(centred, sum_of_squares(centred), space);
  if (space.sketch_dims == 0) return space;
  space.sketch_survivors = sketch_survivors(space, sample, count, similarity);
  if (space.sketch_survivors > kMostSurvivors) {
    space.sketch_dims = 0;
    space.sketch_survivors = 0;
    space.basis.clear();
  }
  return space;
}

}  // namespace quarry
