#include "vector/sketch_trial.h"

#include <algorithm>
#include <functional>
#include <vector>

#include "simd/kernels.h"
#include "vector/code_planes.h"
#include "vector/plane_encoder.h"

namespace quarry {
namespace {

constexpr uint32_t kTrials = 64;
constexpr uint32_t kUsualK = 10;

/// The rows a sketch is tried on, coded, and how they are ranked.
class Trial {
 public:
  Trial(const VectorSpace& space, std::span<const float> sample, const EncodedPlanes& encoded,
        VectorSimilarity similarity)
      : sample_(sample),
        planes_(planes_of(space, encoded)),
        offsets_(encoded.size),
        dots_(encoded.size) {
    if (similarity != VectorSimilarity::kL2Norm) return;
    for (uint32_t i = 0; i < planes_.size; i++) {
      offsets_[i] = -kernels_.dot(row(i), row(i), planes_.dims) / 2;
    }
  }

  /// Rows whose bound is no worse than the `rank`-th best of the others, asked for row `self`.
  uint64_t survivors(uint32_t self, size_t rank) {
    keys_.clear();
    for (uint32_t i = 0; i < planes_.size; i++) {
      if (i != self) keys_.push_back(kernels_.dot(row(self), row(i), planes_.dims) + offsets_[i]);
    }
    const auto limit = keys_.begin() + static_cast<ptrdiff_t>(rank - 1);
    std::nth_element(keys_.begin(), limit, keys_.end(), std::greater<>());
    query_.prepare(planes_, {row(self), planes_.dims});
    kernels_.dot_codes(planes_.sketch, 0, planes_.size, query_.sketch(), dots_.data());
    float query_error = query_.sketch_query_error;
    rest_dots_.assign(planes_.size, query_.sketch_rest_bias);
    if (query_.sketch_rest_pays) {
      query_error = query_.sketch_fine_error;
      kernels_.dot_codes(planes_.sketch, 0, planes_.size, query_.sketch_rest(), rest_dots_.data());
    }
    uint64_t count = 0;
    for (uint32_t i = 0; i < planes_.size; i++) {
      const float bound = query_.sketch_estimate(dots_[i]) +
                          query_.sketch_rest_estimate(rest_dots_[i]) + offsets_[i] +
                          query_.sketch_norm * planes_.sketch_error[i] +
                          query_.rest_norm * planes_.tail[i] + query_error;
      count += i != self && bound >= *limit ? 1 : 0;
    }
    return count;
  }

 private:
  const float* row(uint32_t i) const { return sample_.data() + size_t{i} * planes_.dims; }

  const simd::Kernels& kernels_ = simd::kernels();
  std::span<const float> sample_;
  CodePlanes planes_;
  std::vector<float> offsets_;  // l2: -|x|^2 / 2, what of the squared distance depends on the row
  std::vector<int32_t> dots_;
  std::vector<int32_t> rest_dots_;
  std::vector<float> keys_;
  QueryCodes query_;
};

}  // namespace

float sketch_survivors(const VectorSpace& space, std::span<const float> sample, uint32_t count,
                       VectorSimilarity similarity) {
  const auto size = static_cast<uint32_t>(sample.size() / space.dims);
  if (size < 2) return 1;
  const Result<EncodedPlanes> encoded = encode_planes(space, {sample.data(), size, space.dims}, nullptr);
  if (!encoded.ok()) return 1;
  Trial trial(space, sample, *encoded, similarity);
  // The best of the whole segment are better than the best of its sample.
  const uint64_t rank = std::clamp<uint64_t>(uint64_t{kUsualK} * size / count, 1, size - 1);
  const uint32_t trials = std::min(size, kTrials);
  uint64_t survivors = 0;
  for (uint32_t i = 0; i < trials; i++) {
    survivors += trial.survivors(static_cast<uint32_t>(uint64_t{i} * size / trials), rank);
  }
  return static_cast<float>(static_cast<double>(survivors) /
                            (static_cast<double>(trials) * (size - 1)));
}

}  // namespace quarry
