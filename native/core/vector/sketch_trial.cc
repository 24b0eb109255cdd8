#include "vector/sketch_trial.h"

#include <algorithm>
#include <functional>

#include "simd/kernels.h"
#include "vector/sq8/code_planes.h"

namespace quarry {
namespace {

constexpr uint32_t kTrials = 64;
constexpr uint32_t kUsualK = 10;

}  // namespace

SketchTrial::SketchTrial(std::span<const float> sample, uint32_t dims, uint32_t count,
                         VectorSimilarity similarity)
    : sample_(sample),
      dims_(dims),
      size_(static_cast<uint32_t>(sample.size() / dims)),
      offsets_(size_) {
  if (size_ < 2) return;
  if (similarity == VectorSimilarity::kL2Norm) {
    for (uint32_t i = 0; i < size_; i++) {
      offsets_[i] = -simd::kernels().dot(row(i), row(i), dims_) / 2;
    }
  }
  // The best rows of the whole segment are better than the best of its sample, so the rank is lower
  // in the sample.
  const uint64_t rank = std::clamp<uint64_t>(uint64_t{kUsualK} * size_ / count, 1, size_ - 1);
  const uint32_t trials = std::min(size_, kTrials);
  for (uint32_t i = 0; i < trials; i++) {
    const auto self = static_cast<uint32_t>(uint64_t{i} * size_ / trials);
    queries_.push_back({self, limit_of(self, rank)});
  }
}

/// The `rank`-th best score of all other rows, with row `self` as the query.
float SketchTrial::limit_of(uint32_t self, size_t rank) const {
  const simd::Kernels& kernels = simd::kernels();
  std::vector<float> keys;
  keys.reserve(size_);
  for (uint32_t i = 0; i < size_; i++) {
    if (i != self) keys.push_back(kernels.dot(row(self), row(i), dims_) + offsets_[i]);
  }
  const auto limit = keys.begin() + static_cast<ptrdiff_t>(rank - 1);
  std::nth_element(keys.begin(), limit, keys.end(), std::greater<>());
  return *limit;
}

float SketchTrial::survivors(const VectorSpace& space, const EncodedPlanes& sketches) const {
  if (size_ < 2) return 1;
  const simd::Kernels& kernels = simd::kernels();
  const CodePlanes planes = planes_of(space, sketches);
  std::vector<int32_t> dots(size_);
  std::vector<int32_t> rest_dots(size_);
  QueryCodes query;
  uint64_t count = 0;
  for (const auto [self, limit] : queries_) {
    query.prepare(planes, {row(self), dims_});
    kernels.dot_codes(planes.sketch, 0, size_, query.sketch(), dots.data());
    float query_error = query.sketch_query_error;
    rest_dots.assign(size_, query.sketch_rest_bias);
    if (query.sketch_rest_pays) {
      query_error = query.sketch_fine_error;
      kernels.dot_codes(planes.sketch, 0, size_, query.sketch_rest(), rest_dots.data());
    }
    for (uint32_t i = 0; i < size_; i++) {
      const float bound = query.sketch_estimate(dots[i]) +
                          query.sketch_rest_estimate(rest_dots[i]) + offsets_[i] +
                          query.sketch_norm * planes.sketch_error[i] +
                          query.rest_norm * planes.tail[i] + query_error;
      count += i != self && bound >= limit ? 1 : 0;
    }
  }
  return static_cast<float>(static_cast<double>(count) /
                            (static_cast<double>(queries_.size()) * (size_ - 1)));
}

}  // namespace quarry
