// Tokens are prefixes (or suffixes) of the path that end (or start) at a delimiter.
#include "text/tokenizers/path_tokenizer.h"

#include <algorithm>
#include <vector>

namespace quarry {
namespace {

/// The ends of the prefixes, shortest first: before every delimiter except a leading one, and the
/// end of the text.
std::vector<size_t> prefix_ends(std::string_view text, char delimiter) {
  std::vector<size_t> ends;
  for (size_t i = 1; i < text.size(); ++i) {
    if (text[i] == delimiter) ends.push_back(i);
  }
  ends.push_back(text.size());
  return ends;
}

/// The starts of the suffixes, longest first: the start of the text and after every delimiter
/// except a final one.
std::vector<size_t> suffix_starts(std::string_view text, char delimiter) {
  std::vector<size_t> starts = {0};
  for (size_t i = 0; i + 1 < text.size(); ++i) {
    if (text[i] == delimiter) starts.push_back(i + 1);
  }
  return starts;
}

}  // namespace

void PathTokenizer::tokenize(std::string_view text, TokenBuffer& out,
                             AnalysisBudget& budget) const {
  if (text.empty()) return;
  std::string_view replaced = text;
  if (options_.replacement != options_.delimiter) {
    char* copy = out.arena.allocate(text.size());
    std::replace_copy(text.begin(), text.end(), copy, options_.delimiter, options_.replacement);
    replaced = {copy, text.size()};
  }
  size_t characters = 0;
  const auto emit = [&](size_t from, size_t to) {
    if (from >= to || !budget.allows(out.tokens.size() + 1, characters += to - from)) return;
    out.tokens.push_back(Token{replaced.substr(from, to - from), 0, 1, static_cast<uint32_t>(from),
                               static_cast<uint32_t>(to), kTypeWord});
  };
  const size_t skip = options_.skip;
  if (options_.reverse) {
    const auto starts = suffix_starts(text, options_.delimiter);
    if (skip < starts.size()) {
      // The last `skip` parts are removed from all tokens; the delimiter before them is kept.
      const size_t end = skip == 0 ? text.size() : starts[starts.size() - skip];
      for (size_t i = 0; i + skip < starts.size(); ++i) emit(starts[i], end);
    }
  } else {
    const auto ends = prefix_ends(text, options_.delimiter);
    const size_t start = skip == 0 ? 0 : skip <= ends.size() ? ends[skip - 1] : text.size();
    for (size_t i = skip; i < ends.size(); ++i) emit(start, ends[i]);
  }
  finish_positions(out);
}

}  // namespace quarry
