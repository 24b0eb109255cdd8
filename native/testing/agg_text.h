// Partial results of aggregations as text, for tests: one text per owner, "[key=count{child;child}
// …]" for buckets, "+other/error" behind terms that were cut.
#pragma once

#include <string>
#include <vector>

#include "base/coding.h"

namespace quarry::testing {

/// Whole numbers without a point, others with six digits behind it, "-" for NaN.
std::string number_text(double value);
/// The text of every node at the top; expects the section to be whole.
std::vector<std::string> read_aggs(Bytes section);

}  // namespace quarry::testing
