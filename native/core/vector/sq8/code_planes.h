// The compact codes of a segment's vectors, as searches and the graph builder read them, and a
// query in the same codes.
//
// A row x (unit length under cosine) is kept as f32; x~ = x - mean is coded twice:
//   plane F: SQ8 of x~ in its own axes, one step for all:  code = round(x~[i] / full_step) clamped
//   to [-127, 127] + 128 plane A: SQ8 of the first `sketch_dims` PCA coordinates of x~, the same
//   way with sketch_step (may be absent)
// With v the decoded row: |x~ - v| <= error. The true q.x lies within
//   F: q.mean + q.v +- |q| full_error         A: q.mean + (Pq).v +- (|Pq| sketch_error + |q - P'Pq|
//   tail)
// plus what coding the query costs. Any orthonormal basis keeps these bounds true
// (vector.md 4.1, 4.2).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "simd/kernels.h"

namespace quarry {

/// Views of sections or of a builder's memory. Rows by ordinal; all arrays have `size` entries.
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
  float sketch_survivors = 0;  // share of rows that plane A did not rule out when trained
};

/// Numbers beyond this are compared as they are: a product of two could leave the range of floats.
inline constexpr double kMaxCodedNorm = 1e15;

/// What a sum of `dims` products in floats may be off by, as a share of |a||b|; for every
/// instruction set (simd/kernels.h).
double float_dot_slack(uint32_t dims);

/// A query against CodePlanes. Reused: prepare() allocates nothing once warm.
class QueryCodes {
 public:
  /// `query`: planes.dims floats, unit length under cosine, at most kMaxCodedNorm long.
  /// Without `sketch` only what plane F needs.
  void prepare(const CodePlanes& planes, std::span<const float> query, bool sketch = true);

  const int8_t* full() const { return full_.data(); }
  const int8_t* sketch() const { return sketch_.data(); }
  /// What `full` and `sketch` leave out of the query, in finer codes of their own: with the sums of
  /// both, an estimate is nearly free of what coding the query costs.
  const int8_t* full_rest() const { return full_rest_.data(); }
  const int8_t* sketch_rest() const { return sketch_rest_.data(); }
  /// Estimate of q.x from the kernel's integer: `mean_dot + scale * (integer - 128 * sum)`.
  float full_estimate(int32_t integer) const {
    return mean_dot + full_scale * static_cast<float>(integer - full_bias);
  }
  float sketch_estimate(int32_t integer) const {
    return mean_dot + sketch_scale * static_cast<float>(integer - sketch_bias);
  }

  /// What the sum of full_rest or sketch_rest adds to an estimate.
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
  /// Upper bound of what coding the query can add to an estimate of any row of these planes.
  float full_query_error = 0;
  float sketch_query_error = 0;
  float full_rest_scale = 0;
  float sketch_rest_scale = 0;
  int32_t full_rest_bias = 0;
  int32_t sketch_rest_bias = 0;
  /// In place of full_query_error where full_rest is added, and so on.
  float full_fine_error = 0;
  float sketch_fine_error = 0;
  /// The coding of the query is much of the bounds of plane A: sketch_rest is worth its sums.
  bool sketch_rest_pays = false;

 private:
  void prepare_sketch(const CodePlanes& planes, std::span<const float> query, double length,
                      double slack);

  std::vector<int8_t> full_;
  std::vector<int8_t> sketch_;
  std::vector<int8_t> full_rest_;
  std::vector<int8_t> sketch_rest_;
  std::vector<float> projected_;
  std::vector<float> left_;  // of a vector by its codes
};

}  // namespace quarry
