// The text of a match clause as positions of terms.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "query/plan/compiler.h"

namespace quarry {

/// One position of the text and its terms: several if the analyzer yields synonyms.
struct AnalyzedPosition {
  uint32_t position = 0;
  std::vector<std::string> terms;
};

/// A part of the text that all readings cover: one word, or several alternative word sequences.
struct TextPart {
  std::vector<std::vector<std::string>> paths;
  /// True if all readings are single words, that is plain synonyms.
  bool is_position() const;
};

struct AnalyzedText {
  std::vector<AnalyzedPosition> positions;
  /// Filled if some synonym has several words: the same text, part by part.
  std::vector<TextPart> parts;
  bool last_ends_text = false;  // the last token reaches the end of the text (no space after it)
};

/// Maximum number of readings of a text; no further reading is added when they reach the maximum
/// number of words. The rest is dropped.
inline constexpr size_t kMaxTextPaths = 256;
inline constexpr size_t kMaxTextPathWords = 65536;
/// All readings of the text, each a sequence of words from the first part to the last.
std::vector<std::vector<std::string>> all_paths(const std::vector<TextPart>& parts);

/// `analyzer` null: the whole text is one term.
Result<AnalyzedText> analyze_text(const Analyzer* analyzer, std::string_view text,
                                  Compiler& compiler);

/// The error for an analyzer that the index does not have.
Status unknown_analyzer(std::string_view clause, std::string_view parameter, std::string_view name);

/// The analyzer that a clause on `field` uses: `name` if given (query_shard_exception if unknown),
/// else the field's own; null for fields that are not analyzed.
Result<const Analyzer*> pick_analyzer(const Compiler& compiler, const Field& field,
                                      std::string_view name, std::string_view clause, bool quoted);

}  // namespace quarry
