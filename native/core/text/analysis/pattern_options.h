// Options shared by the components with a regular expression.
#pragma once

#include <optional>
#include <string_view>
#include <utility>

#include "text/analysis/options.h"
#include "text/analysis/pattern.h"
#include "text/regex/regex.h"

namespace quarry {

/// `pattern` and `flags`; records the mistake and answers nothing when they do not compile. Without
/// a `fallback` the pattern is required.
std::optional<Regex> read_regex(OptionReader& options, std::optional<std::string_view> fallback);

/// The same with `replacement`.
std::optional<std::pair<Regex, Replacement>> read_replacement(OptionReader& options);

/// `pattern`, `flags` and `group` of the pattern tokenizer.
TokenizerPtr make_pattern_tokenizer(OptionReader& options);

}  // namespace quarry
