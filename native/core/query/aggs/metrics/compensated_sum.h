// Kahan summation like Elasticsearch's CompensatedSum: the error of each addition is carried on,
// and partial sums are merged with their errors.
#pragma once

#include <cmath>

namespace quarry {

struct CompensatedSum {
  double sum = 0;
  double delta = 0;

  void add(double value) noexcept {
    // Infinities and NaN would leave a NaN in delta.
    if (!std::isfinite(value)) {
      sum += value;
      return;
    }
    if (!std::isfinite(sum)) return;
    const double corrected = value + delta;
    const double updated = sum + corrected;
    delta = corrected - (updated - sum);
    sum = updated;
  }
  double value() const noexcept { return sum + delta; }
};

}  // namespace quarry
