// The `minimum_should_match` language: "2", "-1", "75%", "-25%", "2<75%", "2<-25% 9<-3".
#pragma once

#include <cstdint>
#include <string_view>

#include "base/status.h"

namespace quarry {

/// The number of `clauses` optional clauses that must match. Percentages round down; the result is
/// never negative but may exceed `clauses`. number_format_exception for anything that is not a
/// number.
Result<uint32_t> minimum_should_match(std::string_view spec, uint32_t clauses);

}  // namespace quarry
