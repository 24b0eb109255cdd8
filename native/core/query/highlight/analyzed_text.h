// The text of a match clause as positions of terms.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "query/plan/compiler.h"

namespace quarry {

/// One position of the text with its terms: more than one where the analyzer yields synonyms.
struct AnalyzedPosition {
  uint32_t position = 0;
  std::vector<std::string> terms;
};

/// A stretch of the text that every reading of it has: one word, or several sequences of words.
struct TextPart {
  std::vector<std::vector<std::string>> paths;
  /// All readings are single words: synonyms in the narrow sense.
  bool is_position() const;
};

struct AnalyzedText {
  std::vector<AnalyzedPosition> positions;
  /// Filled where some synonym has several words: the same text, stretch by stretch.
  std::vector<TextPart> parts;
  bool last_ends_text = false;  // the last token reaches the end of the text (no space behind it)
};

/// At most so many readings of a text, and no further one when they come to so many words: what is
/// beyond is left out.
inline constexpr size_t kMaxTextPaths = 256;
inline constexpr size_t kMaxTextPathWords = 65536;
/// All readings of the text from the first part to the last, each a row of words.
std::vector<std::vector<std::string>> all_paths(const std::vector<TextPart>& parts);

/// `analyzer` null: all of the text is one term.
Result<AnalyzedText> analyze_text(const Analyzer* analyzer, std::string_view text,
                                  Compiler& compiler);

/// What a clause says of an analyzer that is none of the index's.
Status unknown_analyzer(std::string_view clause, std::string_view parameter, std::string_view name);

/// The analyzer a clause on `field` uses: `name` when given (query_shard_exception when unknown),
/// else the field's own; null for fields that are not analysed.
Result<const Analyzer*> pick_analyzer(const Compiler& compiler, const Field& field,
                                      std::string_view name, std::string_view clause, bool quoted);

}  // namespace quarry
