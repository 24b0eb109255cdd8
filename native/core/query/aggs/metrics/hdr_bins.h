// The bins of an HdrHistogram: a bin holds all doubles with the same exponent and first mantissa
// bits.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

#include "query/aggs/frame/value_sketch.h"

namespace quarry {

class HdrBins {
 public:
  /// No bins: values are kept unchanged.
  static constexpr uint8_t kNone = 255;
  static constexpr uint8_t kMostBits = 17;

  explicit HdrBins(uint8_t mantissa_bits) : bits_(mantissa_bits) {}

  bool used() const { return bits_ != kNone; }
  /// The smallest value of the bin that contains `value`, which must not be negative.
  double lowest(double value) const {
    const uint64_t kept = ~uint64_t{0} << (52 - bits_);
    return std::bit_cast<double>(std::bit_cast<uint64_t>(value) & kept);
  }
  double width(double lowest) const {
    return lowest == 0 ? 0 : std::ldexp(1.0, std::ilogb(lowest) - bits_);
  }
  /// The largest value that is equivalent to the one at the nearest rank, in the precision of the
  /// smallest bin, as HdrHistogram defines it; NaN without values.
  double percentile(const ValueSketch& sketch, double percent) const;

 private:
  uint8_t bits_;
};

}  // namespace quarry
