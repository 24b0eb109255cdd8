// New names by a regular expression, as a restore asks for them.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/status.h"

namespace quarry {

struct Renamed {
  std::string name;
  size_t steps = 0;  // what it took
};

/// `name` with every match of `pattern` replaced, both in Java's spelling without what needs
/// backtracking (text/regex/regex.h). illegal_argument_exception for a pattern or a replacement that is
/// none, and where more than `max_steps` are needed.
Result<Renamed> rename(std::string_view pattern, std::string_view replacement,
                       std::string_view name, size_t max_steps);

}  // namespace quarry
