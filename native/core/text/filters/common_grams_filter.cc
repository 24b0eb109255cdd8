// A gram stands at the position of its first word and covers two positions. In query mode it
// replaces the word before it, and the last word is left out when a gram ends with it.
#include "text/filters/common_grams_filter.h"

#include <cstdint>
#include <string>
#include <vector>

#include "text/analysis/unicode.h"

namespace quarry {
namespace {

/// Keeps the grams, and the words that neither start nor end one.
std::vector<Token> keep_grams(const std::vector<Token>& tokens) {
  std::vector<Token> out;
  int64_t position = -1;
  int64_t before = -1;
  bool after_gram = false;
  for (size_t i = 0; i < tokens.size(); ++i) {
    const bool gram = tokens[i].type == kTypeGram;
    const int64_t increment = tokens[i].position - before;
    before = tokens[i].position;
    const bool starts_gram = i + 1 < tokens.size() && tokens[i + 1].type == kTypeGram;
    const bool last = i + 1 == tokens.size();
    if (!gram && (starts_gram || (last && after_gram))) continue;
    after_gram = gram;
    position += gram ? 1 : increment;
    out.push_back(tokens[i]);
    out.back().position = static_cast<uint32_t>(position);
    if (gram) out.back().position_length = 1;
  }
  return out;
}

}  // namespace

void CommonGramsFilter::apply(TokenBuffer& out, AnalysisBudget& budget) const {
  std::vector<Token> result;
  const auto is_common = [this](const Token& token) {
    return options_.ignore_case ? words_.contains(to_lower(token.text))
                                : words_.contains(token.text);
  };
  bool common_before = false;
  size_t characters = out.arena.used();
  for (size_t i = 0; i < out.tokens.size(); ++i) {
    const Token& token = out.tokens[i];
    const bool common = is_common(token);
    if (i > 0 && (common || common_before)) {
      const Token& first = out.tokens[i - 1];
      characters += first.text.size() + token.text.size() + 1;
      if (!budget.allows(result.size() + 2, characters)) return;
      Token gram;
      std::string text(first.text);
      text.append("_").append(token.text);
      gram.text = out.arena.copy(text);
      gram.position = result.back().position;
      gram.position_length = 2;
      gram.start = first.start;
      gram.end = token.end;
      gram.type = kTypeGram;
      result.push_back(gram);
    }
    result.push_back(token);
    common_before = common;
  }
  if (!options_.query_mode) {
    out.tokens = std::move(result);
    return;
  }
  const uint32_t behind = out.tokens.empty() ? 0 : out.end_position - out.tokens.back().position;
  out.tokens = keep_grams(result);
  if (!out.tokens.empty()) out.end_position = out.tokens.back().position + behind;
}

}  // namespace quarry
