// Tokenizers that split by the class of each character (whitespace, letter, lowercase, char_group),
// and the keyword tokenizer.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <set>
#include <string_view>
#include <utility>

#include "text/analysis/components.h"

namespace quarry {

/// The whole text as one token; no token for an empty text.
class KeywordTokenizer final : public Tokenizer {
 public:
  void tokenize(std::string_view text, TokenBuffer& out, AnalysisBudget& budget) const override;
};

/// The set of characters that belong to words.
class WordChars {
 public:
  virtual ~WordChars() = default;
  virtual bool contains(uint32_t code_point) const = 0;
};

/// Maximal runs of the characters in `chars`, cut every `max_token_length` UTF-16 units.
class CharTokenizer final : public Tokenizer {
 public:
  CharTokenizer(std::unique_ptr<const WordChars> chars, uint32_t max_token_length, bool lowercase)
      : chars_(std::move(chars)), max_length_(max_token_length), lowercase_(lowercase) {
    for (uint32_t cp = 0; cp < ascii_.size(); ++cp) ascii_[cp] = chars_->contains(cp);
  }
  void tokenize(std::string_view text, TokenBuffer& out, AnalysisBudget& budget) const override;

 private:
  bool in_word(uint32_t cp) const { return cp < ascii_.size() ? ascii_[cp] : chars_->contains(cp); }

  const std::unique_ptr<const WordChars> chars_;
  std::array<bool, 128> ascii_{};
  const uint32_t max_length_;
  const bool lowercase_;
};

/// Characters of the named classes (letter, digit, whitespace, punctuation, symbol) and individual
/// characters.
class CharClasses final : public WordChars {
 public:
  /// False when there is no class of that name.
  bool add_class(std::string_view name);
  void add_char(uint32_t code_point) { chars_.insert(code_point); }
  /// Replaces the set with its complement.
  void invert() { inverted_ = true; }
  bool contains(uint32_t code_point) const override;

 private:
  uint32_t categories_ = 0;  // bit 1 << Category
  std::set<uint32_t> chars_;
  bool inverted_ = false;
};

TokenizerPtr make_whitespace_tokenizer(uint32_t max_token_length);
/// Words of letters only; with `lowercase` it is the lowercase tokenizer.
TokenizerPtr make_letter_tokenizer(bool lowercase);

}  // namespace quarry
