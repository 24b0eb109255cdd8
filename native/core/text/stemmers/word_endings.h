// Removing and replacing the endings of words, which rules of light stemmers consist of.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace quarry {

using EndingText = std::u32string_view;

/// Endings, separated by spaces, that are removed from words of more than `longer_than` letters.
struct Endings {
  size_t longer_than;
  EndingText endings;
};

/// Calls `visit` for each item of a list separated by spaces, until it returns true.
template <typename Visitor>
bool any_item(EndingText list, const Visitor& visit) {
  while (!list.empty()) {
    const size_t space = std::min(list.find(U' '), list.size());
    if (visit(list.substr(0, space))) return true;
    list.remove_prefix(std::min(space + 1, list.size()));
  }
  return false;
}

/// Removes the first ending that matches.
inline bool drop_ending(const Endings& rule, std::u32string& word) {
  if (word.size() <= rule.longer_than) return false;
  return any_item(rule.endings, [&word](EndingText ending) {
    if (!EndingText(word).ends_with(ending)) return false;
    word.resize(word.size() - ending.size());
    return true;
  });
}

/// Applies the first rule that matches.
inline bool drop_first(std::span<const Endings> rules, std::u32string& word) {
  return std::any_of(rules.begin(), rules.end(),
                     [&word](const Endings& rule) { return drop_ending(rule, word); });
}

/// Replaces `ending` with `instead` in words of more than `longer_than` letters.
inline bool swap_ending(std::u32string& word, size_t longer_than, EndingText ending,
                        EndingText instead) {
  if (word.size() <= longer_than || !EndingText(word).ends_with(ending)) return false;
  word.replace(word.size() - ending.size(), ending.size(), instead);
  return true;
}

inline bool ends_with_any(const std::u32string& word, EndingText letters) {
  return !word.empty() && letters.find(word.back()) != EndingText::npos;
}

/// Replaces each letter of `from` with the letter at the same place of `to`.
inline void fold_letters(std::u32string& word, EndingText from, EndingText to) {
  for (char32_t& letter : word) {
    const size_t at = from.find(letter);
    if (at != EndingText::npos) letter = to[at];
  }
}

}  // namespace quarry
