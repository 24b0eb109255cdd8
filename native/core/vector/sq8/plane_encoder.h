// Encodes rows into the planes of a VectorSpace, with the error bounds of each row's codes.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "base/long_work.h"
#include "base/status.h"
#include "vector/sq8/code_planes.h"
#include "vector/vector_rows.h"
#include "vector/vector_space.h"

namespace quarry {

/// Sections of encoded rows. `bounds` is f32 full_error[size], i32 half_norm[size] and, if there is
/// a sketch, f32 sketch_error[size], f32 tail[size].
struct EncodedPlanes {
  uint32_t size = 0;
  std::vector<uint8_t> full;
  std::vector<uint8_t> sketch;
  std::vector<uint8_t> bounds;
  float max_full_error = 0;
  float max_norm = 0;
};

/// The size of `bounds` in bytes.
uint64_t bounds_bytes(uint32_t size, bool sketch);
/// Sets the arrays of `planes`, whose size and sketch_dims are set, to point into `bounds`, which
/// has that size.
void bind_bounds(CodePlanes& planes, const uint8_t* bounds);
/// Bytes of one row of plane F.
size_t full_stride(uint32_t dims);

/// Called after rows `begin` to `end` - 1 were read and are no longer needed.
using RowsPassed = std::function<void(uint32_t begin, uint32_t end)>;

/// `rows` have space.dims values in scored form. `work` (may be null) is polled; once it is
/// cancelled, the error is ErrorType::kRejected. `passed` may be empty.
Result<EncodedPlanes> encode_planes(const VectorSpace& space, const VectorRows& rows,
                                    LongWork* work, const RowsPassed& passed = {});

/// Encodes plane A only, for rows whose coordinates are already computed: the first
/// space.sketch_dims of every `stride` numbers. `norms` are those of the rows minus the mean, as
/// computed by norm_around().
EncodedPlanes encode_sketches(const VectorSpace& space, std::span<const float> coordinates,
                              size_t stride, std::span<const double> norms);
/// An upper bound of |x - mean|, computed from x - mean and including its rounding error.
double norm_around(std::span<const float> centred);

/// A view of both arguments, which must outlive it.
CodePlanes planes_of(const VectorSpace& space, const EncodedPlanes& encoded);

}  // namespace quarry
