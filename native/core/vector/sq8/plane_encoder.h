// Codes rows into the planes of a VectorSpace, with the bounds of what each row's codes leave out.
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

/// Sections of coded rows. `bounds`: f32 full_error[size], i32 half_norm[size] and, where there is
/// a sketch, f32 sketch_error[size], f32 tail[size].
struct EncodedPlanes {
  uint32_t size = 0;
  std::vector<uint8_t> full;
  std::vector<uint8_t> sketch;
  std::vector<uint8_t> bounds;
  float max_full_error = 0;
  float max_norm = 0;
};

/// Bytes of `bounds`.
uint64_t bounds_bytes(uint32_t size, bool sketch);
/// Points the arrays of `planes`, whose size and sketch_dims are set, into `bounds` of that length.
void bind_bounds(CodePlanes& planes, const uint8_t* bounds);
/// Bytes of a row of plane F.
size_t full_stride(uint32_t dims);

/// Told after rows `begin` to `end` - 1 were read: they are not needed again.
using RowsPassed = std::function<void(uint32_t begin, uint32_t end)>;

/// `rows`: of space.dims, as scored. `work` (may be null) is polled; once called off:
/// ErrorType::kRejected. `passed` may be empty.
Result<EncodedPlanes> encode_planes(const VectorSpace& space, const VectorRows& rows,
                                    LongWork* work, const RowsPassed& passed = {});

/// Plane A alone, of rows whose coordinates are known: the first space.sketch_dims of every `stride` numbers. `norms`: of the rows
/// less the mean, as norm_around() has them.
EncodedPlanes encode_sketches(const VectorSpace& space, std::span<const float> coordinates,
                              size_t stride, std::span<const double> norms);
/// |x - mean| from x - mean, with what the differences were rounded by.
double norm_around(std::span<const float> centred);

/// A view of both, which must outlive it.
CodePlanes planes_of(const VectorSpace& space, const EncodedPlanes& encoded);

}  // namespace quarry
