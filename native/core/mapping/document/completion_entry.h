// Inputs of a completion field as the index stores them: terms of an inverted field, ordered by the
// key that a prefix is compared with.
//
// A term is: the key, a zero byte, the input as given, a zero byte, u32 big-endian 2147483647 -
// weight. The key is the analyzed input: its words, 0x1f between them if separators are preserved,
// 0x1e for a word that the analyzer removed if position increments are preserved. Of several words
// at the same position, the first is used.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "mapping/schema/field.h"
#include "text/analysis/analysis_budget.h"

namespace quarry {

inline constexpr char kCompletionSeparator = 0x1f;
inline constexpr char kCompletionHole = 0x1e;
inline constexpr uint32_t kMaxCompletionWeight = 2147483647;

struct CompletionEntry {
  std::string_view key;
  std::string_view input;
  uint32_t weight = 0;
};

/// `analyzer` is the field's analyzer for inputs, and its search analyzer for prefixes. Returns an
/// empty key when analysis leaves no word.
Result<std::string> completion_key(const Analyzer& analyzer, const CompletionOptions& options,
                                   std::string_view text, AnalysisBudget& budget);

/// The term of an input, which is cut to the maximum length of the field; empty when analysis
/// leaves no word.
Result<std::string> completion_term(const Field& field, std::string_view input, uint32_t weight,
                                    AnalysisBudget& budget);

/// The parts of `term`, as views into it; empty when `term` does not have this form.
std::optional<CompletionEntry> read_completion(std::string_view term);

}  // namespace quarry
