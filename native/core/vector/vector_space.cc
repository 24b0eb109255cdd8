#include "vector/vector_space.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "simd/kernels.h"
#include "vector/basis.h"
#include "vector/plane_encoder.h"
#include "vector/scan_costs.h"
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
/// A sketch that leaves more rows than this to plane F is not worth its bytes.
constexpr float kMostSurvivors = 0.25F;
/// Nor is one for segments that are scanned through plane F anyway (ScanStage).
constexpr uint32_t kMinVectorsForSketch = 3000;

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

std::vector<float> evenly_spaced(const VectorRows& rows) {
  const uint32_t dims = rows.dims();
  const uint32_t size = sample_size(rows.size(), dims);
  std::vector<float> sample(size_t{size} * dims);
  for (uint32_t i = 0; i < size; i++) {
    const float* row = rows[static_cast<uint32_t>(uint64_t{i} * rows.size() / size)];
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

/// What a scan through a sketch of this width would cost a row.
double cost_of(const VectorSpace& space) {
  return sketch_row_cost(space.sketch_dims) +
         static_cast<double>(space.sketch_survivors) * survivor_cost(full_stride(space.dims));
}

/// Widens the sketch as long as that makes scans cheaper, and keeps the best; none where plane F
/// alone does as well.
void train_sketch(std::span<const float> sample, std::span<const float> centred, uint32_t count,
                  VectorSimilarity similarity, VectorSpace& space) {
  const uint32_t dims = space.dims;
  const size_t widest = std::min<size_t>({kMostSketch, dims, full_stride(dims) * 2 / 3});
  if (widest < kSketchBlock) return;
  PrincipalBasis basis(centred, dims, space.mean);
  std::vector<float> coordinates;
  double best = full_row_cost(full_stride(dims));
  VectorSpace wider = space;
  while (basis.size() + kSketchBlock <= widest) {
    basis.grow(kSketchBlock);
    const std::span<const float> rows = basis.rows();
    project(centred, rows.last(size_t{kSketchBlock} * dims), dims, coordinates);
    wider.sketch_dims = basis.size();
    wider.basis = basis.rows();
    wider.basis_defect = static_cast<float>(basis.defect() * (1 + 1e-6));
    wider.sketch_step = step_of(coordinates);
    wider.sketch_survivors = sketch_survivors(wider, sample, count, similarity);
    const double cost = cost_of(wider);
    if (cost < best && wider.sketch_survivors <= kMostSurvivors) {
      best = cost;
      space = wider;
    } else if (space.sketch_dims != 0) {
      return;
    }
  }
}

}  // namespace

VectorSpace train_space(const VectorRows& rows, VectorSimilarity similarity) {
  const uint32_t dims = rows.dims();
  const uint32_t count = rows.size();
  VectorSpace space;
  space.dims = dims;
  const std::vector<float> sample = evenly_spaced(rows);
  space.mean = mean_of(sample, dims);
  std::vector<float> centred = sample;
  for (size_t at = 0; at < centred.size(); at += dims) {
    for (size_t i = 0; i < dims; i++) centred[at + i] -= space.mean[i];
  }
  space.full_step = step_of(centred);
  if (count >= kMinVectorsForSketch) train_sketch(sample, centred, count, similarity, space);
  return space;
}

}  // namespace quarry
