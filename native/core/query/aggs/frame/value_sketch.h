// The values of one bucket, for percentiles: all values while few are different, beyond that a
// merging t-digest (Dunning and Ertl 2019, scale function k1).
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "query/aggs/frame/agg_memory.h"

namespace quarry {

/// Maximum number of different values of one owner that are kept exactly; beyond it they become
/// centroids.
inline constexpr size_t kMaxExactValues = 131072;

class ValueSketch {
 public:
  void add(double value, double compression, AggBudget& budget);
  /// Sorts the buffered values in; must be called before reading.
  void settle(double compression, AggBudget& budget);

  bool exact() const { return exact_; }
  std::span<const double> means() const { return means_; }
  std::span<const double> weights() const { return weights_; }
  double min() const { return min_; }
  double max() const { return max_; }
  /// Linear interpolation between the closest ranks, p / 100 * (n - 1) counted from 0; NaN without
  /// values.
  double percentile(double percent) const;
  /// The percentage of values that are at most `value`; NaN without values.
  double percentile_rank(double value) const;

 private:
  void compress(double compression);

  bool exact_ = true;
  double min_ = std::numeric_limits<double>::infinity();
  double max_ = -std::numeric_limits<double>::infinity();
  std::vector<double> means_;    // ascending
  std::vector<double> weights_;  // number of values that each mean stands for
  std::vector<double> buffer_;   // values that are not sorted in yet
  size_t charged_ = 0;
};

}  // namespace quarry
