// Filters that map the letters of each token: the normalizations of single languages and scripts.
#pragma once

#include <string>

#include "text/analysis/components.h"
#include "text/analysis/options.h"
#include "text/unicode/normalizer.h"

namespace quarry {

/// Replaces a word, given as code points, with its normal form.
using NormalizeWord = void (*)(std::u32string& word);

// normalizations.cc; the rules are those of the Lucene filters of the same names.
/// Digits of all scripts become 0 to 9.
void normalize_decimal_digits(std::u32string& word);
/// Full-width ASCII becomes ASCII, half-width Katakana becomes Katakana.
void normalize_cjk_width(std::u32string& word);
/// Unifies the forms of alef, yeh and heh, and removes tatweel and vowel marks.
void normalize_arabic(std::u32string& word);
/// Replaces the Persian forms of yeh, kaf and heh with the Arabic ones.
void normalize_persian(std::u32string& word);
/// Replaces the Arabic forms of yeh, kaf, heh and reh with the Kurdish ones, and removes vowel
/// marks and format characters.
void normalize_sorani(std::u32string& word);
/// Unifies spellings of Devanagari words, such as short and long vowels.
void normalize_hindi(std::u32string& word);
/// Unifies spellings of Bengali words by sound.
void normalize_bengali(std::u32string& word);
/// ß becomes ss, and an umlaut, also when written with two letters, becomes its base letter.
void normalize_german(std::u32string& word);
/// Replaces the Cyrillic letters and those with diacritics by plain Latin letters. The word is
/// lower-case.
void normalize_serbian(std::u32string& word);
/// Makes one letter of æ, ä and ae, of ø, ö, oe and oo, and of å, aa and ao.
void normalize_scandinavian(std::u32string& word);
/// The same with a and o instead of the letters of the Scandinavian languages.
void fold_scandinavian(std::u32string& word);

// indic_normalization.cc
/// Composes the letters of nine Indian scripts that can be written as several code points.
void normalize_indic(std::u32string& word);

// text/unicode/normalizer.h, composed
void normalize_nfc(std::u32string& word);
void normalize_nfkc(std::u32string& word);
void normalize_nfkc_casefold(std::u32string& word);
void fold_icu(std::u32string& word);

/// Reads the options of icu_normalizer that the token filter and the char filter share.
NormalForm read_normal_form(OptionReader& options);

class NormalizationFilter final : public TokenFilter {
 public:
  explicit NormalizationFilter(NormalizeWord normalize) : normalize_(normalize) {}
  void apply(TokenBuffer& out, AnalysisBudget& budget) const override;
  bool normalizes() const override { return true; }

 private:
  const NormalizeWord normalize_;
};

}  // namespace quarry
