// Maps the codes of a date column to places in a table of keys without a branch: adjacent documents
// of a list may lie in any place, so a branch would be mispredicted.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "columns/column.h"
#include "query/aggs/histogram/rounding.h"

namespace quarry {

/// Splits the codes into steps no longer than the shortest interval, so that each step contains at
/// most one border.
class PlaceIndex {
 public:
  /// For the table of `rounding`, which contains every value of the column. The index is empty if
  /// codes are wide, or if the intervals are so short that it would need too many steps.
  PlaceIndex(const Rounding& rounding, const Column& column);

  bool empty() const { return steps_.empty(); }
  /// Rounding::place_of() of the code's date; any place of the table for codes that the column
  /// lacks.
  uint32_t place_of(uint32_t code) const {
    const Step step = steps_[std::min<size_t>(code >> shift_, steps_.size() - 1)];
    return step.place + (code > step.last ? 1 : 0);
  }

 private:
  struct Step {
    uint32_t last;   // last code of `place`
    uint32_t place;  // place at the start of the step
  };
  std::vector<Step> steps_;
  uint32_t shift_ = 0;  // log2 of the codes per step
};

}  // namespace quarry
