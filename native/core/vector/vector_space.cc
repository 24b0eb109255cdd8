#include "vector/vector_space.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <span>

#include "simd/kernels.h"
#include "vector/basis.h"
#include "vector/scan_costs.h"
#include "vector/sketch_trial.h"
#include "vector/sq8/plane_encoder.h"

namespace quarry {
namespace {

constexpr uint32_t kMostSample = 4000;
constexpr uint32_t kLeastSample = 1024;
/// The maximum number of multiplications for the moments of the sample: above about 2,000
/// dimensions the sample is smaller.
constexpr uint64_t kSampleWork = 16'000'000'000;

constexpr uint32_t kSketchBlock = 64;  // one cache line
constexpr uint32_t kMostSketch = 256;
/// A sketch that leaves a larger share of rows to plane F is not worth its bytes.
constexpr float kMostSurvivors = 0.25F;
/// Smaller segments are scanned through plane F (ScanStage) and need no sketch.
constexpr uint32_t kMinVectorsForSketch = 3000;

/// Values beyond this quantile are clamped, which makes the codes of all others finer.
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

/// Finds the step with which the largest code represents the quantile of the absolute values.
class StepFinder {
 public:
  /// `count` is the number of values to be added.
  explicit StepFinder(size_t count)
      : wanted_(count - static_cast<size_t>(static_cast<double>(count - 1) * kStepQuantile)) {}
  void add(std::span<const float> values) {
    for (const float value : values) {
      const float size = std::abs(value);
      if (!(size > floor_)) continue;
      largest_.push_back(size);
      if (largest_.size() == 4 * wanted_) keep_wanted();
    }
  }
  float step() {
    if (largest_.size() > wanted_) keep_wanted();
    if (largest_.empty()) return kLeastStep;
    // If most values are zero, the largest value is used instead.
    const bool reached = largest_.size() == wanted_;
    const float most = reached ? *std::min_element(largest_.begin(), largest_.end())
                               : *std::max_element(largest_.begin(), largest_.end());
    return std::max(most / kCodeLimit, kLeastStep);
  }

 private:
  void keep_wanted() {
    const auto last = largest_.begin() + static_cast<ptrdiff_t>(wanted_ - 1);
    std::nth_element(largest_.begin(), last, largest_.end(), std::greater<>());
    floor_ = *last;
    largest_.resize(wanted_);
  }

  size_t wanted_;  // number of largest values to keep; the smallest of them is the quantile
  float floor_ = 0;
  std::vector<float> largest_;
};

float step_of(std::span<const float> values) {
  StepFinder finder(values.size());
  finder.add(values);
  return finder.step();
}

/// The coordinates of a sample in a basis that grows.
class SampleCoordinates {
 public:
  /// `centred` has rows of `dims` and outlives this object. `widest` is the maximum number of
  /// directions.
  SampleCoordinates(std::span<const float> centred, uint32_t dims, size_t widest)
      : centred_(centred), dims_(dims), stride_(widest), values_(size() * widest) {
    norms_.reserve(size());
    for (size_t i = 0; i < size(); i++) norms_.push_back(norm_around(row(i)));
  }
  /// Appends `directions` to the existing ones.
  void add(std::span<const float> directions) {
    const simd::Kernels& kernels = simd::kernels();
    const size_t count = directions.size() / dims_;
    for (size_t i = 0; i < size(); i++) {
      float* out = values_.data() + i * stride_ + width_;
      for (size_t j = 0; j < count; j++) {
        out[j] = kernels.dot(directions.data() + j * dims_, row(i).data(), dims_);
      }
    }
    width_ += count;
  }
  float step() const {
    StepFinder finder(size() * width_);
    for (size_t i = 0; i < size(); i++) finder.add({values_.data() + i * stride_, width_});
    return finder.step();
  }
  EncodedPlanes encode(const VectorSpace& space) const {
    return encode_sketches(space, values_, stride_, norms_);
  }

 private:
  size_t size() const { return centred_.size() / dims_; }
  std::span<const float> row(size_t i) const { return centred_.subspan(i * dims_, dims_); }

  std::span<const float> centred_;
  size_t dims_;
  size_t stride_;
  size_t width_ = 0;
  std::vector<float> values_;
  std::vector<double> norms_;
};

/// The estimated cost per row of a scan through the sketch.
double cost_of(const VectorSpace& space) {
  return sketch_row_cost(space.sketch_dims) +
         static_cast<double>(space.sketch_survivors) * survivor_cost(full_stride(space.dims));
}

/// Widens the sketch as long as that makes scans cheaper, and keeps the best; there is none if
/// plane F alone is as fast.
void train_sketch(std::span<const float> sample, std::span<const float> centred, uint32_t count,
                  VectorSimilarity similarity, VectorSpace& space) {
  const uint32_t dims = space.dims;
  const size_t widest = std::min<size_t>({kMostSketch, dims, full_stride(dims) * 2 / 3});
  if (widest < kSketchBlock) return;
  PrincipalBasis basis(centred, dims, space.mean);
  SampleCoordinates coordinates(centred, dims, widest);
  const SketchTrial trial(sample, dims, count, similarity);
  double best = full_row_cost(full_stride(dims));
  VectorSpace wider = space;
  while (basis.size() + kSketchBlock <= widest) {
    basis.grow(kSketchBlock);
    const std::span<const float> rows = basis.rows();
    coordinates.add(rows.last(size_t{kSketchBlock} * dims));
    wider.sketch_dims = basis.size();
    wider.basis = basis.rows();
    wider.basis_defect = static_cast<float>(basis.defect() * (1 + 1e-6));
    wider.sketch_step = coordinates.step();
    wider.sketch_survivors = trial.survivors(wider, coordinates.encode(wider));
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
