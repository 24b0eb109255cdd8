// Matching is greedy from left to right; matched tokens are not matched again.
#include "text/filters/synonym_filter.h"

#include <algorithm>
#include <cstdint>
#include <span>

namespace quarry {
namespace {

/// The cost of looking up a word; most words are not in any rule.
constexpr size_t kStepsPerWord = 4;

uint32_t moved(uint32_t position, int64_t shift) {
  return static_cast<uint32_t>(int64_t{position} + shift);
}

/// Appends the synonyms of `matched`, whose first token is at `position`. Returns the number of
/// words of the longest synonym.
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

/// Appends one sequence of words from `start` to `end`. The inner words take the positions from
/// `next` on; returns the first position after them.
uint32_t append_path(std::span<Token> path, uint32_t start, uint32_t next, uint32_t end,
                     std::vector<Token>& to) {
  for (size_t k = 0; k < path.size(); ++k) {
    Token& token = path[k];
    token.position = k == 0 ? start : next++;
    const uint32_t behind = k + 1 == path.size() ? end : next;
    token.position_length = behind - token.position;
    to.push_back(token);
  }
  return next;
}

/// Appends all word sequences for `matched` as parallel paths from `start`. Returns the position at
/// which they end.
uint32_t append_graph(const SynonymOutputs& outputs, std::span<const Token> matched, uint32_t start,
                      std::vector<Token>& to, Arena& arena) {
  uint32_t inner = outputs.keep_original ? static_cast<uint32_t>(matched.size() - 1) : 0;
  for (const SynonymWords& words : outputs.terms) inner += static_cast<uint32_t>(words.size() - 1);
  const uint32_t end = start + 1 + inner;
  uint32_t next = start + 1;
  if (outputs.keep_original) {
    std::vector<Token> original(matched.begin(), matched.end());
    next = append_path(original, start, next, end, to);
  }
  for (const SynonymWords& words : outputs.terms) {
    std::vector<Token> path(words.size());
    for (size_t k = 0; k < words.size(); ++k) {
      path[k].text = arena.copy(words[k]);
      path[k].start = matched.front().start;
      path[k].end = matched.back().end;
      path[k].type = kTypeSynonym;
    }
    next = append_path(path, start, next, end, to);
  }
  return end;
}

}  // namespace

SynonymFilter::Match SynonymFilter::find(const std::vector<Token>& tokens, size_t first,
                                         AnalysisBudget& budget) const {
  Match best;
  uint32_t node = SynonymMap::kRoot;
  for (size_t i = first; i < tokens.size(); ++i) {
    if (i > first && tokens[i].position == tokens[i - 1].position) break;
    if (!budget.spend(kStepsPerWord)) break;
    node = map_.step(node, tokens[i].text);
    if (node == SynonymMap::kNone) break;
    if (const SynonymOutputs* outputs = map_.outputs(node)) best = {outputs, i - first + 1};
  }
  return best;
}

void SynonymFilter::apply(TokenBuffer& out, AnalysisBudget& budget) const {
  std::vector<Token> result;
  bool any = false;
  int64_t shift = 0;
  for (size_t i = 0; i < out.tokens.size();) {
    const Match match = find(out.tokens, i, budget);
    const size_t characters = out.arena.used() + match.characters();
    if (!budget.allows(result.size() + match.tokens(), characters)) return;
    const bool copied = match.outputs != nullptr && match.outputs->keep_original && !graph_;
    const size_t kept = match.outputs == nullptr ? 1 : copied ? match.count : 0;
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
      const uint32_t width = matched.back().position - matched.front().position + 1;
      if (graph_) {
        const uint32_t end = append_graph(*match.outputs, matched, position, result, out.arena);
        shift += int64_t{end} - int64_t{position} - int64_t{width};
      } else {
        const size_t longest =
            append_synonyms(*match.outputs, matched, position, result, out.arena);
        if (kept == 0) shift += static_cast<int64_t>(longest) - int64_t{width};
      }
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
