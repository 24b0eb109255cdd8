// Inputs of a completion field as the index keeps them: terms of an inverted field, which sort by what a prefix is compared
// with.
//
// A term is: the key, a zero byte, the input as it was given, a zero byte, u32 big-endian 2147483647 - weight. The key is the
// analysed input: its words, 0x1f between them where separators are kept, 0x1e for a word that the analyzer took out where
// positions are kept. Of words that stand on each other, the first counts.
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

/// `analyzer`: the field's for inputs, its search analyzer for what is looked up. Empty: no word is left.
Result<std::string> completion_key(const Analyzer& analyzer, const CompletionOptions& options,
                                   std::string_view text, AnalysisBudget& budget);

/// The term of an input, which is cut at the length that the field allows; empty: no word of it is left.
Result<std::string> completion_term(const Field& field, std::string_view input, uint32_t weight,
                                    AnalysisBudget& budget);

/// Views into `term`; nothing when it is none.
std::optional<CompletionEntry> read_completion(std::string_view term);

}  // namespace quarry
