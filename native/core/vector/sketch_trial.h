// How well a sketch rules rows out, tried with rows of the sample as queries.
#pragma once

#include <cstdint>
#include <span>

#include "vector/vector_space.h"

namespace quarry {

/// Share of the sample that plane A leaves to plane F once the best of `count` rows are known.
/// `sample`: rows as scored. `count`: rows of the segment that the sample stands for.
float sketch_survivors(const VectorSpace& space, std::span<const float> sample, uint32_t count,
                       VectorSimilarity similarity);

}  // namespace quarry
