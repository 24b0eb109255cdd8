// Regular expressions for analysis (pattern tokenizer and filters) in time linear to the text:
// Java's syntax without what needs backtracking. A pattern becomes a program for a Pike machine,
// which runs all alternatives side by side.
#pragma once

#include <cstddef>
#include <functional>
#include <string_view>
#include <utility>
#include <vector>

#include "base/status.h"
#include "text/analysis/analysis_budget.h"
#include "text/regex/regex_program.h"

namespace quarry {

/// Immutable and thread-safe.
class Regex {
 public:
  /// Refuses, by name, what is not regular (look-around, back references, atomic groups) and
  /// programs that are too large. Time of a search: O(text * pattern), counted as steps of the
  /// budget; where that is exceeded nothing more is found.
  static Result<Regex> compile(std::string_view pattern, RegexFlags flags = {});

  /// Byte ranges of the whole match (group 0) and of each group; unset groups are {npos, npos}.
  using Groups = std::vector<std::pair<size_t, size_t>>;

  /// The leftmost match that starts at or after `from`; like Java's, the first alternative wins
  /// over the longer one.
  bool search(std::string_view text, size_t from, AnalysisBudget& budget, Groups& groups) const;

  /// Calls `each` for all matches from left to right; an empty match moves on by one character.
  /// Each match may look at all of the rest of the text: only the budget makes that linear.
  void for_each_match(std::string_view text, AnalysisBudget& budget,
                      const std::function<void(const Groups&)>& each) const;

  size_t group_count() const { return program_.group_count; }
  /// Number of a named group, 0 when there is none.
  size_t group_number(std::string_view name) const;

 private:
  explicit Regex(RegexProgram program) : program_(std::move(program)) {}
  bool search_single_set(std::string_view text, size_t from, Groups& groups) const;

  RegexProgram program_;
};

/// Java's flag names joined by | ("CASE_INSENSITIVE|DOTALL"); refuses those that are not supported.
Result<RegexFlags> parse_regex_flags(std::string_view names);

}  // namespace quarry
