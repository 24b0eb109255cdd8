// Parameters trained on a sample of a segment's vectors before they are coded: their mean, the
// directions in which they differ most (the basis of the sketch), and the steps of the codes.
#pragma once

#include <cstdint>
#include <vector>

#include "mapping/vectors/vector_options.h"
#include "vector/vector_rows.h"

namespace quarry {

/// The trained part of CodePlanes.
struct VectorSpace {
  uint32_t dims = 0;
  uint32_t sketch_dims = 0;    // 0: no sketch
  float full_step = 0;         // > 0
  float sketch_step = 0;       // > 0 where there is a sketch
  float basis_defect = 0;      // upper bound of the norm of (basis basis' - 1)
  float sketch_survivors = 0;  // CodePlanes::sketch_survivors
  std::vector<float> mean;     // dims
  std::vector<float> basis;    // sketch_dims rows of dims
};

/// `rows` has at least one row, in scored form, none longer than kMaxCodedNorm. Deterministic: the
/// sample is evenly spaced and the seed fixed. The width of the sketch minimizes the estimated cost
/// of a scan; there is no sketch where it would not pay: few dimensions, or rows without structure.
VectorSpace train_space(const VectorRows& rows, VectorSimilarity similarity);

}  // namespace quarry
