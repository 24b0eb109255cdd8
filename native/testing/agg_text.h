// Formats partial results of aggregations for tests: one string per owner, "[key=count{child;child}
// …]" for buckets, "+other/error" after truncated terms.
#pragma once

#include <string>
#include <vector>

#include "base/coding.h"

namespace quarry::testing {

/// Whole numbers without a decimal point, others with six decimals, "-" for NaN.
std::string number_text(double value);
/// The text of every top-level node; expects the section to be complete.
std::vector<std::string> read_aggs(Bytes section);

}  // namespace quarry::testing
