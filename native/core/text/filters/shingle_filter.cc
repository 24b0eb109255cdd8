// Words are first laid out one per position, with gaps filled, and shingles are then read from that
// sequence.
#include "text/filters/shingle_filter.h"

#include <algorithm>
#include <vector>

namespace quarry {
namespace {

struct ShingleWord {
  std::string_view text;
  uint32_t position;
  uint32_t start;
  uint32_t end;
  bool filler;
};

/// The tokens in order, with fillers for position gaps. At most `most` fillers per gap are added,
/// because a shingle cannot contain more.
std::vector<ShingleWord> lay_out(const TokenBuffer& out, std::string_view filler, uint32_t most,
                                 AnalysisBudget& budget) {
  std::vector<ShingleWord> words;
  uint32_t next = 0;
  const auto fill = [&](uint32_t until, uint32_t offset) {
    const uint32_t missing = until > next ? until - next : 0;
    for (uint32_t i = missing > most ? missing - most : 0; i < missing; ++i) {
      if (!budget.allows(words.size() + 1, 0)) return;
      words.push_back({filler, next + i, offset, offset, true});
    }
  };
  for (const Token& token : out.tokens) {
    fill(token.position, token.start);
    words.push_back({token.text, token.position, token.start, token.end, false});
    next = token.position + 1;
  }
  if (!out.tokens.empty()) fill(out.end_position, out.tokens.back().end);
  return words;
}

}  // namespace

void ShingleFilter::apply(TokenBuffer& out, AnalysisBudget& budget) const {
  const std::vector<ShingleWord> words = lay_out(out, options_.filler, options_.max - 1, budget);
  const std::vector<Token> unigrams = out.tokens;
  out.tokens.clear();
  // Without unigrams the shortest shingles have position length 1.
  const uint32_t shorter = options_.unigrams ? 0 : options_.min - 1;
  size_t unigram = 0;
  std::string joined;
  size_t characters = out.arena.used();
  for (size_t first = 0; first < words.size() && !budget.exceeded(); ++first) {
    if (!words[first].filler) {
      if (options_.unigrams) out.tokens.push_back(unigrams[unigram]);
      ++unigram;
    }
    const size_t longest = std::min<size_t>(options_.max, words.size() - first);
    joined.clear();
    bool any_word = false;
    for (size_t n = 1; n <= longest; ++n) {
      const ShingleWord& word = words[first + n - 1];
      const size_t length = joined.size() + options_.separator.size() + word.text.size();
      if (!budget.allows(out.tokens.size() + 1, characters + length)) return;
      if (n > 1) joined += options_.separator;
      joined += word.text;
      any_word = any_word || !word.filler;
      if (n < options_.min || !any_word) continue;
      characters += joined.size();
      out.tokens.push_back(Token{out.arena.copy(joined), words[first].position,
                                 static_cast<uint32_t>(n) - shorter, words[first].start, word.end,
                                 kTypeShingle});
    }
  }
  if (out.tokens.empty() && options_.unigrams_if_no_shingles) out.tokens = unigrams;
}

}  // namespace quarry
