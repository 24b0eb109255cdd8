// Percentiles by the nearest rank.
#include "query/aggs/metrics/hdr_bins.h"

#include <algorithm>
#include <limits>

namespace quarry {

double HdrBins::percentile(const ValueSketch& sketch, double percent) const {
  double total = 0;
  double smallest = 0;
  for (size_t i = 0; i < sketch.means().size(); i++) {
    total += sketch.weights()[i];
    if (smallest == 0) smallest = width(sketch.means()[i]);
  }
  const double rank =
      std::max(1.0, std::floor(std::clamp(percent, 0.0, 100.0) / 100 * total + 0.5));
  double reached = 0;
  for (size_t i = 0; i < sketch.means().size(); i++) {
    reached += sketch.weights()[i];
    const double lowest = sketch.means()[i];
    if (reached >= rank) return lowest == 0 ? 0 : lowest + width(lowest) - smallest;
  }
  return std::numeric_limits<double>::quiet_NaN();
}

}  // namespace quarry
