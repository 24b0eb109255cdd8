// Measures how many rows a sketch excludes, with rows of the sample as queries.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "vector/sq8/plane_encoder.h"
#include "vector/vector_space.h"

namespace quarry {

/// One sample, used for sketches of any width: the limit of each query is computed once.
class SketchTrial {
 public:
  /// `sample` has rows of `dims` in scored form and outlives the trial. `count` is the number of
  /// rows of the segment that the sample represents.
  SketchTrial(std::span<const float> sample, uint32_t dims, uint32_t count,
              VectorSimilarity similarity);
  /// The share of the sample that plane A does not exclude once the best of `count` rows are known.
  /// `sketches` are those of the sample in `space`.
  float survivors(const VectorSpace& space, const EncodedPlanes& sketches) const;

 private:
  struct Query {
    uint32_t row = 0;
    float limit = 0;  // score of the worst hit
  };
  const float* row(uint32_t i) const { return sample_.data() + size_t{i} * dims_; }
  float limit_of(uint32_t self, size_t rank) const;

  std::span<const float> sample_;
  uint32_t dims_;
  uint32_t size_;
  std::vector<float> offsets_;  // l2: -|x|^2 / 2, the part that depends on the row only
  std::vector<Query> queries_;
};

}  // namespace quarry
