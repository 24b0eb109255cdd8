// Which place of a table of keys a code of a column of moments lies at, without a branch: neighbours in a list of
// documents may lie anywhere, and no processor guesses where.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "columns/column.h"
#include "query/aggs/histogram/rounding.h"

namespace quarry {

/// Codes in steps no longer than the shortest interval, so that each has one border in it at most.
class PlaceIndex {
 public:
  /// Of the table of `rounding`, which holds every value of the column. Empty where codes are wide, or intervals so
  /// short that it takes too many steps.
  PlaceIndex(const Rounding& rounding, const Column& column);

  bool empty() const { return steps_.empty(); }
  /// Rounding::place_of() of the code's moment; for codes that the column does not have, some place of the table.
  uint32_t place_of(uint32_t code) const {
    const Step step = steps_[std::min<size_t>(code >> shift_, steps_.size() - 1)];
    return step.place + (code > step.last ? 1 : 0);
  }

 private:
  struct Step {
    uint32_t last;   // code of `place`
    uint32_t place;  // at which the step begins
  };
  std::vector<Step> steps_;
  uint32_t shift_ = 0;  // codes of a step, as a power of two
};

}  // namespace quarry
