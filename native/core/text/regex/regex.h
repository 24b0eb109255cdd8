// Regular expressions for analysis (pattern tokenizer and filters) in time linear in the length of
// the text: Java's syntax without the constructs that need backtracking. A pattern is compiled to a
// program for a Pike machine, which runs all alternatives in parallel; look-arounds are resolved
// before, in one pass over the text each.
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
  /// Constructs that are not regular (back references, atomic groups, groups in a look-around) and
  /// programs that are too large are errors that name them. The time of a search is O(text *
  /// pattern), counted as steps of the budget; once it is exceeded, nothing more is found.
  static Result<Regex> compile(std::string_view pattern, RegexFlags flags = {});

  /// Byte ranges of the whole match (group 0) and of each group; unset groups are {npos, npos}.
  using Groups = std::vector<std::pair<size_t, size_t>>;

  /// Finds the leftmost match that starts at or after `from`. As in Java, the first alternative is
  /// preferred over a longer one.
  bool search(std::string_view text, size_t from, AnalysisBudget& budget, Groups& groups) const;

  /// Calls `each` for all matches from left to right; after an empty match the search advances by
  /// one character. Each match may read the whole rest of the text, so only the budget limits the
  /// total time.
  void for_each_match(std::string_view text, AnalysisBudget& budget,
                      const std::function<void(const Groups&)>& each) const;

  size_t group_count() const { return program_.group_count; }
  /// The number of a named group, 0 when there is none.
  size_t group_number(std::string_view name) const;

 private:
  explicit Regex(RegexProgram program) : program_(std::move(program)) {}
  bool search_single_set(std::string_view text, size_t from, Groups& groups) const;

  RegexProgram program_;
};

/// Parses Java's flag names joined by | ("CASE_INSENSITIVE|DOTALL"); an unsupported name is an
/// error.
Result<RegexFlags> parse_regex_flags(std::string_view names);

}  // namespace quarry
