// Greedy left to right matching; matched tokens are not matched again.
#include "text/synonym_filter.h"

#include <algorithm>
#include <cstdint>
#include <span>

namespace quarry {
namespace {

uint32_t moved(uint32_t position, int64_t shift) {
  return static_cast<uint32_t>(int64_t{position} + shift);
}

/// Appends the synonyms of `matched`, of which the first is at `position`. Answers the words of the
/// longest.
size_t append_synonyms(const SynonymOutputs& outputs, std::span<const Token> matched,
                       uint32_t position, std::vector<Token>& to, Arena& arena) {
  const uint32_t width = matched.back().position - matched.front().position + 1;
  size_t longest = 0;
  for (const SynonymWords& words : outputs.terms) {
    longest = std::max(longest, words.size());
    for (size_t k = 0; k < words.size(); ++k) {
      Token token;
      token.text = arena.copy(words[k]);
      token.position = position + static_cast<uint32_t>(k);
      token.position_length = outputs.keep_original && words.size() == 1 ? width : 1;
      token.start = matched.front().start;
      token.end = matched.back().end;
      token.type = kTypeSynonym;
      to.push_back(token);
    }
  }
  return longest;
}

}  // namespace

SynonymFilter::Match SynonymFilter::find(const std::vector<Token>& tokens, size_t first) const {
  Match best;
  uint32_t node = SynonymMap::kRoot;
  for (size_t i = first; i < tokens.size(); ++i) {
    if (i > first && tokens[i].position == tokens[i - 1].position) break;
    node = map_.step(node, tokens[i].text);
    if (node == SynonymMap::kNone) break;
    if (const SynonymOutputs* outputs = map_.outputs(node)) best = {outputs, i - first + 1};
  }
  return best;
}

void SynonymFilter::apply(TokenBuffer& out) const {
  std::vector<Token> result;
  bool any = false;
  int64_t shift = 0;
  for (size_t i = 0; i < out.tokens.size();) {
    const Match match = find(out.tokens, i);
    const size_t kept = match.outputs == nullptr       ? 1
                        : match.outputs->keep_original ? match.count
                                                       : 0;
    if (match.outputs != nullptr && !any) {
      any = true;
      result.assign(out.tokens.begin(), out.tokens.begin() + static_cast<std::ptrdiff_t>(i));
    }
    for (size_t k = i; any && k < i + kept; ++k) {
      result.push_back(out.tokens[k]);
      result.back().position = moved(out.tokens[k].position, shift);
    }
    if (match.outputs != nullptr) {
      const std::span<const Token> matched(out.tokens.data() + i, match.count);
      const uint32_t position = moved(matched.front().position, shift);
      const size_t longest = append_synonyms(*match.outputs, matched, position, result, out.arena);
      const uint32_t width = matched.back().position - matched.front().position + 1;
      if (kept == 0) shift += static_cast<int64_t>(longest) - int64_t{width};
    }
    i += std::max<size_t>(match.count, 1);
  }
  if (!any) return;
  std::stable_sort(result.begin(), result.end(),
                   [](const Token& a, const Token& b) { return a.position < b.position; });
  out.tokens = std::move(result);
  out.end_position = moved(out.end_position, shift);
  if (!out.tokens.empty()) {
    out.end_position = std::max(out.end_position, out.tokens.back().position + 1);
  }
}

}  // namespace quarry
