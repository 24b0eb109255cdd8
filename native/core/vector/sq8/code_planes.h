// The compact codes of a segment's vectors, as searches and the graph builder read them, and a
// query in the same codes.
//
// A row x (unit length under cosine) is stored as f32; x~ = x - mean is coded twice:
//   plane F: SQ8 of x~ in its own axes, one step for all: code = round(x~[i] / full_step) clamped
//   to [-127, 127] + 128
//   plane A: SQ8 of the first `sketch_dims` PCA coordinates of x~, in the same way with sketch_step
//   (may be absent)
// With v the decoded row: |x~ - v| <= error. The true q.x lies within
//   F: q.mean + q.v +- |q| full_error
//   A: q.mean + (Pq).v +- (|Pq| sketch_error + |q - P'Pq| tail)
// plus the error of coding the query. These bounds hold for any orthonormal basis.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "simd/kernels.h"

namespace quarry {

/// Views of sections or of the memory of a builder. Rows are by ordinal; all arrays have `size`
/// entries.
struct CodePlanes {
  uint32_t size = 0;
  uint32_t dims = 0;
  uint32_t sketch_dims = 0;  // 0: no sketch; else 64, 128, 192 or 256
  simd::CodeRows full;       // stride: dims rounded up to 64
  simd::CodeRows sketch;     // stride: sketch_dims
  float full_step = 0;
  float sketch_step = 0;
  const float* mean = nullptr;          // dims
  const float* basis = nullptr;         // sketch_dims orthonormal rows of dims
  const float* full_error = nullptr;    // upper bound of |x~ - decoded|, per row
  const float* sketch_error = nullptr;  // the same within the sketch's subspace
  const float* tail = nullptr;          // upper bound of |x~ outside that subspace|
  const int32_t* half_norm = nullptr;   // -|code vector of plane F|^2 / 2, rounded, for pruning
  float max_full_error = 0;
  float max_norm = 0;          // upper bound of |x~| over all rows
  float basis_defect = 0;      // upper bound of the norm of (basis basis' - 1)
  float sketch_survivors = 0;  // share of rows that plane A did not exclude in training
};

/// Longer vectors are compared without codes, because a product of two could overflow float.
inline constexpr double kMaxCodedNorm = 1e15;

/// An upper bound of the error of a sum of `dims` float products, relative to |a||b|, for every
/// instruction set (simd/kernels.h).
double float_dot_slack(uint32_t dims);

/// A query against CodePlanes. Reusable: prepare() does not allocate once the buffers are large
/// enough.
class QueryCodes {
 public:
  /// `query` has planes.dims floats, unit length under cosine, and a length of at most
  /// kMaxCodedNorm. Without `sketch` only the codes for plane F are prepared.
  void prepare(const CodePlanes& planes, std::span<const float> query, bool sketch = true);

  const int8_t* full() const { return full_.data(); }
  const int8_t* sketch() const { return sketch_.data(); }
  /// The residuals of `full` and `sketch` in finer codes: an estimate from the sums of both has
  /// almost no error from coding the query.
  const int8_t* full_rest() const { return full_rest_.data(); }
  const int8_t* sketch_rest() const { return sketch_rest_.data(); }
  /// Estimates q.x from the integer of the kernel: `mean_dot + scale * (integer - 128 * sum)`.
  float full_estimate(int32_t integer) const {
    return mean_dot + full_scale * static_cast<float>(integer - full_bias);
  }
  float sketch_estimate(int32_t integer) const {
    return mean_dot + sketch_scale * static_cast<float>(integer - sketch_bias);
  }

  /// The contribution of the sum of full_rest or sketch_rest to an estimate.
  float full_rest_estimate(int32_t integer) const {
    return full_rest_scale * static_cast<float>(integer - full_rest_bias);
  }
  float sketch_rest_estimate(int32_t integer) const {
    return sketch_rest_scale * static_cast<float>(integer - sketch_rest_bias);
  }

  float mean_dot = 0;     // q.mean
  float norm = 0;         // |q|
  float sketch_norm = 0;  // |Pq|
  float rest_norm = 0;    // |q - P'Pq|
  float full_scale = 0;   // plane step * query step
  float sketch_scale = 0;
  int32_t full_bias = 0;  // 128 * sum of the query's codes
  int32_t sketch_bias = 0;
  /// Upper bounds of the error that coding the query adds to an estimate of any row.
  float full_query_error = 0;
  float sketch_query_error = 0;
  float full_rest_scale = 0;
  float sketch_rest_scale = 0;
  int32_t full_rest_bias = 0;
  int32_t sketch_rest_bias = 0;
  /// They replace full_query_error and sketch_query_error where full_rest and sketch_rest are
  /// added.
  float full_fine_error = 0;
  float sketch_fine_error = 0;
  /// Whether the error of coding the query is a large part of the bounds of plane A, so that the
  /// sums of sketch_rest are worth their cost.
  bool sketch_rest_pays = false;

 private:
  void prepare_sketch(const CodePlanes& planes, std::span<const float> query, double length,
                      double slack);

  std::vector<int8_t> full_;
  std::vector<int8_t> sketch_;
  std::vector<int8_t> full_rest_;
  std::vector<int8_t> sketch_rest_;
  std::vector<float> projected_;
  std::vector<float> left_;  // residual of a vector after coding
};

}  // namespace quarry
