// Implements the filters on whole tokens.
#include "text/filters/word_filters.h"

#include <algorithm>
#include <cstring>
#include <set>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "text/analysis/unicode.h"
#include "text/analysis/utf8.h"

namespace quarry {
namespace {

template <typename Drop>
void drop_tokens(TokenBuffer& out, const Drop& drop) {
  std::erase_if(out.tokens, drop);
}

bool in_set(const TermSet& words, bool ignore_case, std::string_view text) {
  return ignore_case ? words.contains(to_lower(text)) : words.contains(text);
}

bool is_space_at(const CodePoint& cp) { return category(cp.value) == Category::kSpace; }

std::string_view trim_space(std::string_view text) {
  while (!text.empty()) {
    const CodePoint cp = decode_utf8(text, 0);
    if (!is_space_at(cp)) break;
    text.remove_prefix(cp.bytes);
  }
  while (!text.empty()) {
    const CodePoint cp = decode_before(text, text.size());
    if (!is_space_at(cp)) break;
    text.remove_suffix(cp.bytes);
  }
  return text;
}

/// The offset and size of the first apostrophe (' or U+2019); size 0 when there is none.
std::pair<size_t, size_t> find_apostrophe(std::string_view text) {
  const size_t plain = text.find('\'');
  const size_t curly = text.find("\u2019");
  if (plain == std::string_view::npos && curly == std::string_view::npos) return {0, 0};
  return plain < curly ? std::pair<size_t, size_t>{plain, 1} : std::pair<size_t, size_t>{curly, 3};
}

}  // namespace

void LengthFilter::apply(TokenBuffer& out, AnalysisBudget&) const {
  drop_tokens(out, [this](const Token& token) {
    const size_t units = utf16_length(token.text);
    return units < min_ || units > max_;
  });
}

void TruncateFilter::apply(TokenBuffer& out, AnalysisBudget&) const {
  for (Token& token : out.tokens) {
    if (!token.keyword) token.text = utf16_prefix(token.text, length_);
  }
}

void TrimFilter::apply(TokenBuffer& out, AnalysisBudget&) const {
  for (Token& token : out.tokens) token.text = trim_space(token.text);
}

void ReverseFilter::apply(TokenBuffer& out, AnalysisBudget&) const {
  for (Token& token : out.tokens) {
    char* reversed = out.arena.allocate(token.text.size());
    size_t end = token.text.size();
    for (size_t at = 0; at < token.text.size();) {
      const uint32_t bytes = decode_utf8(token.text, at).bytes;
      end -= bytes;
      std::memcpy(reversed + end, token.text.data() + at, bytes);
      at += bytes;
    }
    token.text = {reversed, token.text.size()};
  }
}

void UniqueFilter::apply(TokenBuffer& out, AnalysisBudget&) const {
  using Terms = std::unordered_set<std::string_view>;
  // Clearing takes as long as the table is large, so a table of one large position is dropped.
  constexpr size_t kSmallTable = 64;
  Terms seen;
  size_t kept = 0;
  uint32_t closed_up = 0;  // positions that only removed tokens occupied
  uint32_t before = UINT32_MAX;
  for (size_t i = 0; i < out.tokens.size(); ++i) {
    Token token = out.tokens[i];
    const bool advances = token.position != before;
    const uint32_t increment = before == UINT32_MAX ? 0 : token.position - before;
    before = token.position;
    if (same_position_ && advances) {
      if (seen.bucket_count() > kSmallTable) {
        seen = Terms();
      } else {
        seen.clear();
      }
    }
    const bool first = seen.insert(token.text).second;
    if (!first) {
      if (!same_position_) closed_up += increment;
      continue;
    }
    token.position -= closed_up;
    out.tokens[kept++] = token;
  }
  out.tokens.resize(kept);
  out.end_position -= closed_up;
}

void LimitFilter::apply(TokenBuffer& out, AnalysisBudget&) const {
  if (out.tokens.size() > count_) out.tokens.resize(count_);
}

std::vector<std::string> french_articles() {
  return {"l", "m", "t", "qu", "n", "s", "j", "d", "c", "jusqu", "quoiqu", "lorsqu", "puisqu"};
}

void ElisionFilter::apply(TokenBuffer& out, AnalysisBudget&) const {
  for (Token& token : out.tokens) {
    const auto [at, size] = find_apostrophe(token.text);
    if (size != 0 && in_set(articles_, ignore_case_, token.text.substr(0, at))) {
      token.text.remove_prefix(at + size);
    }
  }
}

void ApostropheFilter::apply(TokenBuffer& out, AnalysisBudget&) const {
  for (Token& token : out.tokens) {
    const auto [at, size] = find_apostrophe(token.text);
    if (size != 0) token.text = token.text.substr(0, at);
  }
}

void KeywordMarkerFilter::apply(TokenBuffer& out, AnalysisBudget& budget) const {
  Regex::Groups groups;
  for (Token& token : out.tokens) {
    if (in_set(words_, ignore_case_, token.text)) token.keyword = true;
    if (pattern_ && pattern_->search(token.text, 0, budget, groups) && groups[0].first == 0 &&
        groups[0].second == token.text.size()) {
      token.keyword = true;
    }
  }
}

void KeywordRepeatFilter::apply(TokenBuffer& out, AnalysisBudget& budget) const {
  std::vector<Token> result;
  if (!budget.allows(2 * out.tokens.size(), 0)) return;
  result.reserve(2 * out.tokens.size());
  for (Token token : out.tokens) {
    token.keyword = true;
    result.push_back(token);
    token.keyword = false;
    result.push_back(token);
  }
  out.tokens = std::move(result);
}

void StemmerOverrideFilter::apply(TokenBuffer& out, AnalysisBudget& budget) const {
  size_t characters = out.arena.used();
  for (Token& token : out.tokens) {
    if (token.keyword) continue;
    const auto at = stems_.find(std::string(token.text));
    if (at == stems_.end()) continue;
    if (!budget.allows(0, characters += at->second.size())) return;
    token.text = out.arena.copy(at->second);
    token.keyword = true;
  }
}

void ClassicFilter::apply(TokenBuffer& out, AnalysisBudget&) const {
  for (Token& token : out.tokens) {
    if (token.type == kTypeApostrophe && token.text.size() >= 2 &&
        (token.text.ends_with("'s") || token.text.ends_with("'S"))) {
      token.text.remove_suffix(2);
    } else if (token.type == kTypeAcronym) {
      std::string letters(token.text);
      std::erase(letters, '.');
      token.text = out.arena.copy(letters);
    }
  }
}

void KeepFilter::apply(TokenBuffer& out, AnalysisBudget&) const {
  drop_tokens(out,
              [this](const Token& token) { return !in_set(words_, ignore_case_, token.text); });
}

void FingerprintFilter::apply(TokenBuffer& out, AnalysisBudget& budget) const {
  if (out.tokens.empty()) return;
  std::set<std::string_view> words;
  for (const Token& token : out.tokens) words.insert(token.text);
  std::string joined;
  for (const std::string_view word : words) {
    const size_t length = joined.size() + separator_.size() + word.size();
    if (!budget.allows(1, length)) return;
    if (!joined.empty()) joined += separator_;
    joined += word;
  }
  const auto text_end = static_cast<uint32_t>(out.source.size());
  Token all{out.arena.copy(joined), 0, 1, 0, std::max(text_end, out.tokens.back().end),
            "fingerprint"};
  out.tokens.clear();
  if (utf16_length(joined) <= max_size_) out.tokens.push_back(all);
  // As in Lucene, the text ends one position after the token.
  out.end_position = out.tokens.empty() ? 0 : 2;
}

}  // namespace quarry
