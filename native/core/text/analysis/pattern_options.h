// Options shared by the components that use a regular expression.
#pragma once

#include <optional>
#include <string_view>
#include <utility>

#include "text/analysis/options.h"
#include "text/analysis/pattern.h"
#include "text/regex/regex.h"

namespace quarry {

/// Reads `pattern` and `flags`. Records an error and returns nothing when they do not compile.
/// Without a `fallback` the pattern is required.
std::optional<Regex> read_regex(OptionReader& options, std::optional<std::string_view> fallback);

/// The same, and `replacement`.
std::optional<std::pair<Regex, Replacement>> read_replacement(OptionReader& options);

/// Reads `pattern`, `flags` and `group` of the pattern tokenizer.
TokenizerPtr make_pattern_tokenizer(OptionReader& options);

}  // namespace quarry
