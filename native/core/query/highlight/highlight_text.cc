// Joins values, analyzes each of them, and converts the byte offsets of analyzers to characters.
#include "query/highlight/highlight_text.h"

#include <utility>

#include "query/automata/automaton.h"
#include "text/analysis/analysis_budget.h"
#include "text/analysis/analyzer.h"

namespace quarry {
namespace {

/// For every byte of a text, and its end: the number of characters before it.
std::vector<uint32_t> characters_before(std::string_view text) {
  std::vector<uint32_t> out(text.size() + 1);
  uint32_t characters = 0;
  for (size_t at = 0; at < text.size();) {
    const size_t start = at;
    next_code_point(text, at);
    for (size_t byte = start; byte < at; byte++) out[byte] = characters;
    characters++;
  }
  out[text.size()] = characters;
  return out;
}

void add_whole(const FieldText& text, size_t value, uint32_t position, std::string term,
               FieldTokens& out) {
  out.tokens.push_back({std::move(term), position, text.spans()[value]});
}

/// Returns the start of the positions of the next value.
Result<uint32_t> add_analysed(const FieldText& text, size_t value, const Field& field,
                              uint32_t position, AnalysisBudget& budget, FieldTokens& out) {
  TokenBuffer buffer;
  const std::string& bytes = text.values()[value];
  QUARRY_RETURN_IF_ERROR(field.analyzer->analyze(bytes, buffer, budget));
  const std::vector<uint32_t> characters = characters_before(bytes);
  const uint32_t start = text.spans()[value].start;
  for (const Token& token : buffer.tokens) {
    if (token.start > token.end || token.end > bytes.size()) continue;
    const TextSpan span{start + characters[token.start], start + characters[token.end]};
    if (span.start == span.end) continue;
    out.tokens.push_back({std::string(token.text), position + token.position, span});
  }
  return position + buffer.end_position + field.position_increment_gap;
}

}  // namespace

FieldText::FieldText(std::vector<std::string> values) : values_(std::move(values)) {
  for (size_t i = 0; i < values_.size(); i++) {
    if (i > 0) text_ += U'\0';
    const auto start = static_cast<uint32_t>(text_.size());
    text_ += decode_utf8(values_[i]);
    spans_.push_back({start, static_cast<uint32_t>(text_.size())});
  }
}

Result<FieldTokens> find_tokens(const FieldText& text, const Field& field, uint32_t limit) {
  FieldTokens out;
  AnalysisBudget budget;
  const bool analysed = field.is_text() && field.analyzer != nullptr;
  uint32_t position = 0;
  for (size_t i = 0; i < text.values().size(); i++) {
    const std::string& value = text.values()[i];
    if (limit > 0 && text.spans()[i].start > limit) break;
    if (analysed) {
      QUARRY_ASSIGN_OR_RETURN(position, add_analysed(text, i, field, position, budget, out));
    } else if (field.is_keyword() && !value.empty()) {
      std::string term = value;
      if (field.normalizer != nullptr) {
        QUARRY_ASSIGN_OR_RETURN(term, field.normalizer->normalize(value, budget));
      }
      add_whole(text, i, position++, std::move(term), out);
    }
  }
  if (limit > 0)
    std::erase_if(out.tokens, [limit](const TextToken& token) { return token.span.start > limit; });
  for (uint32_t i = 0; i < out.tokens.size(); i++) out.by_term[out.tokens[i].term].push_back(i);
  return out;
}

}  // namespace quarry
