// The cost of rows in an exact scan, in nanoseconds as measured. Used to choose the width of a
// sketch, and between a scan and a graph walk. Only the ratios matter.
#pragma once

#include <cstddef>

namespace quarry {

/// A row of the sketch, in order: its cache lines, its bounds and their test.
inline double sketch_row_cost(size_t sketch_stride) {
  return 0.5 + 1.15 * static_cast<double>(sketch_stride) / 64;
}

/// A row of plane F, in order.
inline double full_row_cost(size_t full_stride) {
  return 0.3 + static_cast<double>(full_stride) / 40;
}

/// A row that the sketch could not exclude: random access to its codes, and its share of the f32
/// rows.
inline double survivor_cost(size_t full_stride) {
  return 15 + static_cast<double>(full_stride) / 25;
}

}  // namespace quarry
