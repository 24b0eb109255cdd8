// Principal directions of a sample, by orthogonal iteration on its covariance. The bounds of the
// sketch hold for any orthonormal basis, so a few rounds are enough: more would only make it a
// little faster.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/random.h"

namespace quarry {

/// Grows a basis of the strongest directions of a symmetric matrix, a block at a time.
class PrincipalBasis {
 public:
  /// `sample`: rows of `dims`, centred; with `centre` (dims) weighing as one more for each row.
  PrincipalBasis(std::span<const float> sample, uint32_t dims, std::span<const float> centre);
  /// Adds `count` directions orthogonal to those there are; dims are enough for all.
  void grow(uint32_t count);
  /// Rows of dims, orthonormal but for float rounding.
  std::vector<float>& rows() { return rows_; }
  uint32_t size() const { return static_cast<uint32_t>(rows_.size() / dims_); }
  /// Upper bound of the spectral norm of (rows rows' - 1).
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
