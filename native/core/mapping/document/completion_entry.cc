// Builds the keys and terms of completion fields, and reads terms back.
#include "mapping/document/completion_entry.h"

#include <algorithm>

#include "base/coding.h"

namespace quarry {
namespace {

constexpr size_t kWeightBytes = sizeof(uint32_t);

/// The longest prefix of `text` of at most `units` UTF-16 units that does not split a character.
std::string_view cut(std::string_view text, uint32_t units) {
  size_t end = 0;
  uint32_t taken = 0;
  while (end < text.size()) {
    const auto byte = static_cast<uint8_t>(text[end]);
    const size_t length = byte < 0x80 ? 1 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
    taken += length == 4 ? 2 : 1;
    if (taken > units) break;
    end = std::min(end + length, text.size());
  }
  return text.substr(0, end);
}

}  // namespace

Result<std::string> completion_key(const Analyzer& analyzer, const CompletionOptions& options,
                                   std::string_view text, AnalysisBudget& budget) {
  TokenBuffer tokens;
  QUARRY_RETURN_IF_ERROR(analyzer.analyze(text, tokens, budget));
  std::string key;
  bool first = true;
  uint32_t next = 0;  // position
  const auto add = [&](std::string_view word) {
    if (!first && options.separators) key += kCompletionSeparator;
    first = false;
    for (const char byte : word)
      if (byte != '\0') key += byte;
  };
  const auto add_holes = [&](uint32_t upto) {
    for (; options.position_increments && next < upto; next++) add({&kCompletionHole, 1});
  };
  for (const Token& token : tokens.tokens) {
    if (token.position < next) continue;
    add_holes(token.position);
    add(token.text);
    next = token.position + 1;
  }
  add_holes(tokens.end_position);
  return key;
}

Result<std::string> completion_term(const Field& field, std::string_view input, uint32_t weight,
                                    AnalysisBudget& budget) {
  const std::string_view kept = cut(input, field.completion.max_input_length);
  QUARRY_ASSIGN_OR_RETURN(std::string term,
                          completion_key(*field.analyzer, field.completion, kept, budget));
  if (term.empty()) return term;
  term += '\0';
  term += kept;
  term += '\0';
  const uint32_t rank = kMaxCompletionWeight - std::min(weight, kMaxCompletionWeight);
  for (int shift = 24; shift >= 0; shift -= 8) term += static_cast<char>(rank >> shift & 0xff);
  return term;
}

std::optional<CompletionEntry> read_completion(std::string_view term) {
  if (term.size() < kWeightBytes + 2) return std::nullopt;
  const std::string_view texts = term.substr(0, term.size() - kWeightBytes);
  uint32_t rank = 0;
  for (const char byte : term.substr(texts.size())) rank = rank << 8 | static_cast<uint8_t>(byte);
  const size_t behind_key = texts.find('\0');
  const bool sound = texts.back() == '\0' && behind_key > 0 && behind_key + 1 < texts.size() &&
                     rank <= kMaxCompletionWeight;
  if (!sound) return std::nullopt;
  return CompletionEntry{texts.substr(0, behind_key),
                         texts.substr(behind_key + 1, texts.size() - behind_key - 2),
                         kMaxCompletionWeight - rank};
}

}  // namespace quarry
