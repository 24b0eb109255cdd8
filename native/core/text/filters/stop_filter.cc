// Implements the stop filter and resolves its word lists.
#include "text/filters/stop_filter.h"

#include "text/analysis/unicode.h"
#include "text/filters/stop_words.h"

namespace quarry {

void StopFilter::apply(TokenBuffer& out, AnalysisBudget&) const {
  const size_t count = out.tokens.size();
  size_t kept = 0;
  for (size_t i = 0; i < count; ++i) {
    const Token& token = out.tokens[i];
    const bool stop =
        options_.ignore_case ? words_.contains(to_lower(token.text)) : words_.contains(token.text);
    const bool last = !options_.remove_trailing && i + 1 == count;
    if (stop && !last) continue;
    if (kept != i) out.tokens[kept] = token;
    ++kept;
  }
  out.tokens.resize(kept);
}

std::optional<std::vector<std::string>> stop_words(std::string_view language, uint32_t version) {
  const std::string_view words = stop_word_list(language, version);
  if (words.empty()) return std::nullopt;
  std::vector<std::string> out;
  size_t start = 0;
  while (start < words.size()) {
    size_t end = words.find(' ', start);
    if (end == std::string_view::npos) end = words.size();
    if (end > start) out.emplace_back(words.substr(start, end - start));
    start = end + 1;
  }
  return out;
}

Result<std::vector<std::string>> resolve_stop_words(const std::vector<std::string>& given,
                                                    uint32_t version) {
  std::vector<std::string> out;
  for (const std::string& word : given) {
    const bool named = word.size() > 2 && word.front() == '_' && word.back() == '_';
    if (!named) {
      out.push_back(word);
      continue;
    }
    if (word == "_none_") continue;
    const auto words = stop_words(std::string_view(word).substr(1, word.size() - 2), version);
    if (!words) {
      return Status(ErrorType::kIllegalArgument, "no stop word list is named [" + word + "]");
    }
    out.insert(out.end(), words->begin(), words->end());
  }
  return out;
}

}  // namespace quarry
