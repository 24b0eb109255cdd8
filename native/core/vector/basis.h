// Principal directions of a sample, by orthogonal iteration on its covariance. The bounds of the
// sketch hold for any orthonormal basis, so a few rounds are enough: more rounds would only make
// the sketch slightly faster.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/random.h"

namespace quarry {

/// Builds a basis of the strongest directions of a symmetric matrix, one block of directions at a
/// time.
class PrincipalBasis {
 public:
  /// `sample` has centered rows of `dims`. `centre` (dims) counts as one additional row for each
  /// row of the sample.
  PrincipalBasis(std::span<const float> sample, uint32_t dims, std::span<const float> centre);
  /// Adds `count` directions orthogonal to the existing ones; at most dims directions in total.
  void grow(uint32_t count);
  /// Rows of dims, orthonormal up to float rounding.
  std::vector<float>& rows() { return rows_; }
  uint32_t size() const { return static_cast<uint32_t>(rows_.size() / dims_); }
  /// An upper bound of the spectral norm of (rows rows' - 1).
  double defect() const;

 private:
  void orthonormalise(uint32_t row, int passes);
  void refill(float* row);

  uint32_t dims_;
  std::vector<float> moments_;  // dims x dims, symmetric
  std::vector<float> rows_;
  Random random_;
};

}  // namespace quarry
