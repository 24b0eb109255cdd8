// Reads patterns, flags and replacements.
#include "text/analysis/pattern_options.h"

#include <charconv>
#include <memory>

namespace quarry {

std::optional<Regex> read_regex(OptionReader& options, std::optional<std::string_view> fallback) {
  const bool missing = !fallback && !options.has("pattern");
  const std::string pattern = options.text("pattern", fallback.value_or(""));
  const std::string flag_names = options.text("flags", "");
  if (missing) {
    options.fail("option [pattern] is missing");
    return std::nullopt;
  }
  auto flags = parse_regex_flags(flag_names);
  if (!flags.ok()) {
    options.fail(flags.status().reason());
    return std::nullopt;
  }
  auto regex = Regex::compile(pattern, *flags);
  if (regex.ok()) return std::move(*regex);
  options.fail(regex.status().reason());
  return std::nullopt;
}

std::optional<std::pair<Regex, Replacement>> read_replacement(OptionReader& options) {
  auto regex = read_regex(options, std::nullopt);
  const std::string text = options.text("replacement", "");
  if (!regex) return std::nullopt;
  auto replacement = Replacement::parse(text, *regex);
  if (!replacement.ok()) {
    options.fail(replacement.status().reason());
    return std::nullopt;
  }
  return std::pair(std::move(*regex), std::move(*replacement));
}

TokenizerPtr make_pattern_tokenizer(OptionReader& options) {
  auto regex = read_regex(options, "\\W+");
  const std::string text = options.text("group", "-1");
  int group = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), group);
  if (error != std::errc{} || end != text.data() + text.size() || group < -1) {
    options.fail("option [group] must be -1 or a group number but was [" + text + "]");
    return nullptr;
  }
  if (!regex) return nullptr;
  if (group > static_cast<int>(regex->group_count())) {
    options.fail("option [group] is [" + text + "] but the pattern has " +
                 std::to_string(regex->group_count()) + " groups");
    return nullptr;
  }
  return std::make_shared<PatternTokenizer>(std::move(*regex), group, false);
}

}  // namespace quarry
