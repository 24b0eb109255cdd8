// The captures of each pattern are listed first, and the lists are then merged by start.
#include "text/filters/pattern_capture_filter.h"

#include <cstddef>
#include <string_view>

namespace quarry {
namespace {

struct Capture {
  size_t start;
  size_t end;
};

/// The captures of one pattern in order of match and group, without empty ones and, when the
/// original is kept, without captures of the whole token.
std::vector<Capture> find_captures(const Regex& pattern, std::string_view text, bool drop_whole,
                                   AnalysisBudget& budget) {
  std::vector<Capture> out;
  pattern.for_each_match(text, budget, [&](const Regex::Groups& groups) {
    for (size_t group = 1; group < groups.size(); ++group) {
      const auto [start, end] = groups[group];
      if (start == end || (drop_whole && start == 0 && end == text.size())) continue;
      if (budget.allows(out.size() + 1, 0)) out.push_back({start, end});
    }
  });
  return out;
}

/// Removes the first capture of the list whose head starts first, and returns it.
Capture take_next(std::vector<std::vector<Capture>>& lists, std::vector<size_t>& heads) {
  size_t best = lists.size();
  for (size_t i = 0; i < lists.size(); ++i) {
    if (heads[i] == lists[i].size()) continue;
    if (best == lists.size() || lists[i][heads[i]].start < lists[best][heads[best]].start) best = i;
  }
  return lists[best][heads[best]++];
}

}  // namespace

void PatternCaptureFilter::apply(TokenBuffer& out, AnalysisBudget& budget) const {
  std::vector<Token> result;
  for (const Token& token : out.tokens) {
    std::vector<std::vector<Capture>> lists;
    size_t captures = 0;
    for (const Regex& pattern : patterns_) {
      lists.push_back(find_captures(pattern, token.text, preserve_original_, budget));
      captures += lists.back().size();
    }
    if (!budget.spend(captures * patterns_.size())) return;
    if (!budget.allows(result.size() + captures + 1, 0)) return;
    if (preserve_original_ || captures == 0) result.push_back(token);
    std::vector<size_t> heads(lists.size(), 0);
    for (size_t i = 0; i < captures; ++i) {
      const Capture capture = take_next(lists, heads);
      Token part = token;
      part.text = token.text.substr(capture.start, capture.end - capture.start);
      result.push_back(part);
    }
  }
  out.tokens = std::move(result);
}

}  // namespace quarry
