// Look-ahead and look-behind in linear time: before a search, one pass over the text finds all
// places at which each of them holds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "text/analysis/analysis_budget.h"
#include "text/regex/regex_program.h"

namespace quarry {

/// Whether an assertion other than a look-around holds at byte `at`.
bool regex_assert_holds(RegexAssert kind, std::string_view text, size_t at);

/// The places of one text. The machine that uses them must not outlive program and text.
class RegexLookTable {
 public:
  /// Stops early, with wrong places, when the budget is exceeded.
  RegexLookTable(const RegexProgram& program, std::string_view text, AnalysisBudget& budget);

  bool holds(uint32_t look, size_t at) const {
    return ((places_[look][at / 64] >> (at % 64)) & 1U) != 0;
  }

 private:
  std::vector<std::vector<uint64_t>> places_;  // a bit for each byte, for each look-around
};

}  // namespace quarry
