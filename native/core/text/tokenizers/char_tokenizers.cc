// Implements the keyword, whitespace, letter and lowercase tokenizers.
#include "text/tokenizers/char_tokenizers.h"

#include "text/analysis/unicode.h"
#include "text/analysis/utf8.h"
#include "text/tokenizers/standard_tokenizer.h"

namespace quarry {
namespace {

bool malformed(const CodePoint& cp) { return cp.value == kReplacementChar && cp.bytes == 1; }

class NonSpaceChars final : public WordChars {
 public:
  bool contains(uint32_t code_point) const override {
    return category(code_point) != Category::kSpace;
  }
};

class LetterChars final : public WordChars {
 public:
  bool contains(uint32_t code_point) const override {
    return category(code_point) == Category::kLetter;
  }
};

}  // namespace

bool CharClasses::add_class(std::string_view name) {
  Category found = Category::kOther;
  if (name == "letter") found = Category::kLetter;
  if (name == "digit") found = Category::kDigit;
  if (name == "whitespace") found = Category::kSpace;
  if (name == "punctuation") found = Category::kPunctuation;
  if (name == "symbol") found = Category::kSymbol;
  if (found == Category::kOther) return false;
  categories_ |= 1U << static_cast<uint32_t>(found);
  return true;
}

bool CharClasses::contains(uint32_t code_point) const {
  const bool in = ((categories_ >> static_cast<uint32_t>(category(code_point))) & 1U) != 0 ||
                  chars_.contains(code_point);
  return in != inverted_;
}

void KeywordTokenizer::tokenize(std::string_view text, TokenBuffer& out, AnalysisBudget&) const {
  if (!text.empty()) {
    out.tokens.push_back(Token{text, 0, 1, 0, static_cast<uint32_t>(text.size()), kTypeWord});
  }
  finish_positions(out);
}

void CharTokenizer::tokenize(std::string_view text, TokenBuffer& out,
                             AnalysisBudget& budget) const {
  size_t start = 0;
  size_t at = 0;
  uint32_t units = 0;
  const auto emit = [&] {
    if (at == start) return;
    const std::string_view raw = text.substr(start, at - start);
    const auto position = static_cast<uint32_t>(out.tokens.size());
    out.tokens.push_back(Token{lowercase_ ? lower_into(raw, out.arena) : raw, position, 1,
                               static_cast<uint32_t>(start), static_cast<uint32_t>(at), kTypeWord});
    start = at;
    units = 0;
  };
  // One token more than the budget allows shows that it is exceeded.
  const size_t most = budget.max_tokens();
  while (at < text.size() && out.tokens.size() <= most) {
    const CodePoint cp = decode_utf8(text, at);
    if (malformed(cp) || !in_word(cp.value)) {
      emit();
      at += cp.bytes;
      start = at;
      continue;
    }
    const uint32_t width = cp.value > 0xFFFF ? 2 : 1;
    if (units > 0 && units + width > max_length_) emit();
    units += width;
    at += cp.bytes;
  }
  emit();
  finish_positions(out);
}

TokenizerPtr make_whitespace_tokenizer(uint32_t max_token_length) {
  return std::make_shared<CharTokenizer>(std::make_unique<NonSpaceChars>(), max_token_length,
                                         false);
}

TokenizerPtr make_letter_tokenizer(bool lowercase) {
  return std::make_shared<CharTokenizer>(std::make_unique<LetterChars>(), kDefaultMaxTokenLength,
                                         lowercase);
}

}  // namespace quarry
