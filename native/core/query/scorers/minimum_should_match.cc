// Evaluates a minimum_should_match specification for a number of clauses.
#include "query/scorers/minimum_should_match.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <string>

namespace quarry {
namespace {

constexpr std::string_view kSpaces = " \t\n\r\f\v";

std::string_view trim(std::string_view text) {
  const size_t first = text.find_first_not_of(kSpaces);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kSpaces) - first + 1);
}

Result<int64_t> parse_number(std::string_view text) {
  std::string_view digits = text.starts_with('+') ? text.substr(1) : text;
  int32_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc() || end != digits.data() + digits.size()) {
    return Status(ErrorType::kNumberFormat, "For input string: \"" + std::string(text) + "\"");
  }
  return int64_t{value};
}

Result<int64_t> evaluate_simple(std::string_view spec, int64_t clauses) {
  if (spec.find('%') == std::string_view::npos) {
    QUARRY_ASSIGN_OR_RETURN(const int64_t value, parse_number(spec));
    return value < 0 ? clauses + value : value;
  }
  QUARRY_ASSIGN_OR_RETURN(const int64_t percent, parse_number(spec.substr(0, spec.size() - 1)));
  const int64_t share = clauses * percent / 100;  // rounds towards zero
  return percent < 0 ? clauses + share : share;
}

/// Removes the space around "<": "3 < 90%" and "3<90%" are the same condition.
std::string close_up(std::string_view spec) {
  std::string out;
  for (size_t i = 0; i < spec.size(); i++) {
    const bool space = kSpaces.find(spec[i]) != std::string_view::npos;
    const size_t next = space ? spec.find_first_not_of(kSpaces, i) : std::string_view::npos;
    const bool before = space && next != std::string_view::npos && spec[next] == '<';
    const bool after = space && !out.empty() && out.back() == '<';
    if (!before && !after) out += spec[i];
  }
  return out;
}

Result<int64_t> evaluate_conditions(std::string_view spec, int64_t clauses) {
  const std::string text = close_up(spec);
  std::string_view left = text;
  int64_t result = clauses;
  while (!(left = trim(left)).empty()) {
    const size_t end = std::min(left.find_first_of(kSpaces), left.size());
    const std::string_view condition = left.substr(0, end);
    left.remove_prefix(end);
    const size_t at = condition.find('<');
    QUARRY_ASSIGN_OR_RETURN(const int64_t limit, parse_number(condition.substr(0, at)));
    if (clauses <= limit) return result;
    const std::string_view then =
        at == std::string_view::npos ? std::string_view() : condition.substr(at + 1);
    QUARRY_ASSIGN_OR_RETURN(result, evaluate_simple(then, clauses));
    result = std::max<int64_t>(result, 0);
  }
  return result;
}

}  // namespace

Result<uint32_t> minimum_should_match(std::string_view spec, uint32_t clauses) {
  spec = trim(spec);
  QUARRY_ASSIGN_OR_RETURN(const int64_t result, spec.find('<') == std::string_view::npos
                                                    ? evaluate_simple(spec, clauses)
                                                    : evaluate_conditions(spec, clauses));
  return static_cast<uint32_t>(std::clamp<int64_t>(result, 0, INT32_MAX));
}

}  // namespace quarry
