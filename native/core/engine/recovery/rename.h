// New index names by a regular expression, as a restore request specifies them.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/status.h"

namespace quarry {

struct Renamed {
  std::string name;
  size_t steps = 0;  // matcher steps that were executed
};

/// `name` with every match of `pattern` replaced. Both are in Java's syntax without the constructs
/// that need backtracking (text/regex/regex.h). illegal_argument_exception for an invalid pattern
/// or replacement, and when more than `max_steps` are needed.
Result<Renamed> rename(std::string_view pattern, std::string_view replacement,
                       std::string_view name, size_t max_steps);

}  // namespace quarry
