// How well a sketch rules rows out, tried with rows of the sample as queries.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "vector/sq8/plane_encoder.h"
#include "vector/vector_space.h"

namespace quarry {

/// One sample, for sketches of any width: what each query's best score is looked for once.
class SketchTrial {
 public:
  /// `sample`: rows of `dims` as scored, which outlive the trial. `count`: rows of the segment that the sample stands for.
  SketchTrial(std::span<const float> sample, uint32_t dims, uint32_t count,
              VectorSimilarity similarity);
  /// Share of the sample that plane A leaves to plane F once the best of `count` rows are known. `sketches`: of the sample in
  /// `space`.
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
  std::vector<float> offsets_;  // l2: -|x|^2 / 2, what of the squared distance depends on the row
  std::vector<Query> queries_;
};

}  // namespace quarry
