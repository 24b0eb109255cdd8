// Every substring of allowed length is looked up in the word list.
#include "text/filters/decompounder_filter.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "text/analysis/unicode.h"
#include "text/analysis/utf8.h"

namespace quarry {
namespace {

/// A boundary between characters, in bytes and in UTF-16 units.
struct Boundary {
  uint32_t byte;
  uint32_t unit;
};
constexpr size_t kBytesPerStep = 16;  // compared with the words of the list

std::vector<Boundary> character_boundaries(std::string_view text) {
  std::vector<Boundary> out{{0, 0}};
  for (size_t at = 0; at < text.size();) {
    const CodePoint cp = decode_utf8(text, at);
    at += cp.bytes;
    out.push_back({static_cast<uint32_t>(at), out.back().unit + (cp.value > 0xFFFF ? 2 : 1)});
  }
  return out;
}

}  // namespace

void DecompounderFilter::apply(TokenBuffer& out, AnalysisBudget& budget) const {
  std::vector<Token> result;
  const auto add_part = [&](const Token& token, uint32_t start, uint32_t end) {
    if (!budget.allows(result.size() + 1, 0)) return false;
    result.push_back(token);
    result.back().text = token.text.substr(start, end - start);
    return true;
  };
  for (const Token& token : out.tokens) {
    if (!budget.allows(result.size() + 1, 0)) return;
    result.push_back(token);
    const std::vector<Boundary> at = character_boundaries(token.text);
    if (at.back().unit < options_.min_word) continue;
    const std::string lower = options_.ignore_case ? to_lower(token.text) : std::string();
    const std::string_view text = options_.ignore_case ? std::string_view(lower) : token.text;
    // A letter may have another length in lower case.
    const std::vector<Boundary> lower_at =
        options_.ignore_case ? character_boundaries(lower) : std::vector<Boundary>();
    const std::vector<Boundary>& word_at = options_.ignore_case ? lower_at : at;
    for (size_t first = 0; first + 1 < at.size(); ++first) {
      size_t longest = 0;
      for (size_t last = first + 1; last < at.size(); ++last) {
        const uint32_t units = at[last].unit - at[first].unit;
        const size_t bytes = word_at[last].byte - word_at[first].byte;
        if (units > options_.max_part || bytes > words_.longest()) break;
        if (!budget.spend(1 + bytes / kBytesPerStep)) return;
        if (units < options_.min_part || !words_.contains(text.substr(word_at[first].byte, bytes)))
          continue;
        longest = last;
        if (!options_.longest_only && !add_part(token, at[first].byte, at[last].byte)) return;
      }
      if (longest != 0 && options_.longest_only &&
          !add_part(token, at[first].byte, at[longest].byte))
        return;
    }
  }
  out.tokens = std::move(result);
}

}  // namespace quarry
