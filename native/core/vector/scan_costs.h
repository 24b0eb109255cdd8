// What rows cost an exact scan, in nanoseconds as measured (vector.md 2.4): for choosing how wide a
// sketch is, and between a scan and a walk on the graph. Only their ratios matter.
#pragma once

#include <cstddef>

namespace quarry {

/// A row of the sketch, in order: its lines of the cache, its bounds and the test of them.
inline double sketch_row_cost(size_t sketch_stride) {
  return 0.5 + 1.15 * static_cast<double>(sketch_stride) / 64;
}

/// A row of plane F, in order.
inline double full_row_cost(size_t full_stride) {
  return 0.3 + static_cast<double>(full_stride) / 40;
}

/// A row that the sketch could not rule out: its codes out of order, and its part of the f32 rows.
inline double survivor_cost(size_t full_stride) {
  return 15 + static_cast<double>(full_stride) / 25;
}

}  // namespace quarry
