// The letter mappings of each language, and the filter that applies one to all tokens.
#include <algorithm>
#include <span>
#include <string_view>

#include "text/analysis/unicode.h"
#include "text/analysis/utf8.h"
#include "text/filters/normalization_filter.h"

namespace quarry {
namespace {

using LetterList = std::u32string_view;

bool contains_letter(char32_t letter, LetterList letters) {
  return letters.find(letter) != LetterList::npos;
}

/// Replaces each letter of `from` with the letter at the same place of `to`.
void replace_letters(std::u32string& word, LetterList from, LetterList to) {
  for (char32_t& letter : word) {
    const size_t at = from.find(letter);
    if (at != LetterList::npos) letter = to[at];
  }
}

void remove_letters(std::u32string& word, LetterList letters) {
  std::erase_if(word, [letters](char32_t letter) { return contains_letter(letter, letters); });
}

/// Tatweel and the vowel marks of Arabic (fathatan to sukun).
constexpr LetterList kArabicMarks = U"\u0640\u064B\u064C\u064D\u064E\u064F\u0650\u0651\u0652";

/// Soft hyphen, joiners, direction marks and other characters of category Cf.
bool is_format_character(char32_t letter) {
  return letter == 0xAD || (letter >= 0x600 && letter <= 0x605) || letter == 0x61C ||
         letter == 0x6DD || letter == 0x70F || letter == 0x180E ||
         (letter >= 0x200B && letter <= 0x200F) || (letter >= 0x202A && letter <= 0x202E) ||
         (letter >= 0x2060 && letter <= 0x206F) || letter == 0xFEFF ||
         (letter >= 0xFFF9 && letter <= 0xFFFB);
}

/// The distance of a digit from the zero of its script. Digits are runs of ten code points.
char32_t digit_value(char32_t digit) {
  char32_t first = digit;
  while (first > 0 && category(first - 1) == Category::kDigit) --first;
  return (digit - first) % 10;
}

/// Katakana of the half-width forms U+FF65 to U+FF9F.
constexpr LetterList kKatakana =
    U"・ヲァィゥェォャュョッーアイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメ"
    U"モヤユヨ"
    U"ラリルレロワン\u3099\u309A";
constexpr LetterList kVoiceable = U"ウカキクケコサシスセソタチツテトハヒフヘホワヰヱヲヽ";
constexpr LetterList kVoiced = U"ヴガギグゲゴザジズゼゾダヂヅデドバビブベボヷヸヹヺヾ";
constexpr LetterList kHalfVoiceable = U"ハヒフヘホ";
constexpr LetterList kHalfVoiced = U"パピプペポ";

/// Combines a sound mark with the letter before it; false when there is no such letter.
bool combine_mark(std::u32string& done, char32_t mark) {
  if (done.empty()) return false;
  const bool voiced = mark == 0xFF9E;
  const size_t at = (voiced ? kVoiceable : kHalfVoiceable).find(done.back());
  if (at == LetterList::npos) return false;
  done.back() = (voiced ? kVoiced : kHalfVoiced)[at];
  return true;
}

/// The pairs of Scandinavian letters, which become the letter itself.
struct Pair {
  char32_t first;
  LetterList seconds;
  char32_t letter;
};
void replace_pairs(std::u32string& word, std::span<const Pair> pairs) {
  std::u32string out;
  for (size_t i = 0; i < word.size(); ++i) {
    const char32_t second = i + 1 < word.size() ? word[i + 1] : 0;
    const auto pair = std::find_if(pairs.begin(), pairs.end(), [&](const Pair& one) {
      return one.first == word[i] && second != 0 && contains_letter(second, one.seconds);
    });
    if (pair == pairs.end()) {
      out += word[i];
    } else {
      out += pair->letter;
      ++i;
    }
  }
  word = std::move(out);
}

}  // namespace

void normalize_decimal_digits(std::u32string& word) {
  for (char32_t& letter : word) {
    if (letter >= 0x80 && category(letter) == Category::kDigit) letter = U'0' + digit_value(letter);
  }
}

void normalize_cjk_width(std::u32string& word) {
  std::u32string out;
  for (const char32_t letter : word) {
    if (letter >= 0xFF01 && letter <= 0xFF5E) {
      out += letter - 0xFEE0;
    } else if (letter < 0xFF65 || letter > 0xFF9F) {
      out += letter;
    } else if (letter < 0xFF9E || !combine_mark(out, letter)) {
      out += kKatakana[letter - 0xFF65];
    }
  }
  word = std::move(out);
}

void normalize_arabic(std::u32string& word) {
  replace_letters(word, U"\u0622\u0623\u0625\u0649\u0629", U"\u0627\u0627\u0627\u064A\u0647");
  remove_letters(word, kArabicMarks);
}

void normalize_persian(std::u32string& word) {
  replace_letters(word, U"\u06CC\u06D2\u06A9\u06C0\u06C1", U"\u064A\u064A\u0643\u0647\u0647");
  remove_letters(word, U"\u0654");
}

void normalize_sorani(std::u32string& word) {
  constexpr char32_t kHeh = 0x647;
  constexpr char32_t kAe = 0x6D5;
  std::u32string out;
  for (size_t i = 0; i < word.size(); ++i) {
    const char32_t letter = word[i];
    if (letter == 0x200C) {
      if (!out.empty() && out.back() == kHeh) out.back() = kAe;
    } else if (letter == kHeh && i + 1 == word.size()) {
      out += kAe;
    } else if (letter == 0x631 && out.empty()) {
      out += char32_t{0x695};
    } else if (!contains_letter(letter, kArabicMarks) && !is_format_character(letter)) {
      constexpr LetterList kFrom = U"\u064A\u0649\u0643\u0629\u06BE\u0692";
      constexpr LetterList kTo = U"\u06CC\u06CC\u06A9\u06D5\u0647\u0695";
      const size_t at = kFrom.find(letter);
      out += at == LetterList::npos ? letter : kTo[at];
    }
  }
  word = std::move(out);
}

void normalize_hindi(std::u32string& word) {
  // A dead n before another letter is the nasal sign.
  size_t kept = 0;
  for (size_t i = 0; i < word.size(); ++i) {
    const bool nasal = word[i] == 0x928 && i + 1 < word.size() && word[i + 1] == 0x94D;
    word[kept++] = nasal ? char32_t{0x902} : word[i];
    if (nasal) ++i;
  }
  word.resize(kept);
  remove_letters(word, U"\u093C\u094D\u200C\u200D");
  replace_letters(word,
                  U"\u0901\u0929\u0931\u0934\u0958\u0959\u095A\u095B\u095C\u095D\u095E\u095F"
                  U"\u0945\u0946\u0949\u094A\u0948\u094C\u0906\u0908\u090A\u0960\u0961\u0910\u0914"
                  U"\u0940\u0942\u0944\u0963\u090D\u090E\u0911\u0912\u0972",
                  U"\u0902\u0928\u0930\u0933\u0915\u0916\u0917\u091C\u0921\u0922\u092B\u092F"
                  U"\u0947\u0947\u094B\u094B\u0947\u094B\u0905\u0907\u0909\u090B\u090C\u090F\u0913"
                  U"\u093F\u0941\u0943\u0962\u090F\u090F\u0913\u0913\u0905");
}

void normalize_bengali(std::u32string& word) {
  constexpr char32_t kVirama = 0x9CD;
  std::u32string out;
  const auto before = [&out](size_t back) {
    return out.size() >= back ? out[out.size() - back] : U'\0';
  };
  for (size_t i = 0; i < word.size(); ++i) {
    const auto after = [&](size_t ahead) {
      return i + ahead < word.size() ? word[i + ahead] : U'\0';
    };
    const bool joined = before(1) == kVirama;
    const bool last = i + 1 == word.size();
    const size_t place = out.size();
    if (word[i] == 0x981) continue;
    if (word[i] == 0x995 && after(1) == kVirama && after(2) == 0x9BF) {
      if (place > 0) out += word[i];
      out += char32_t{0x996};
      i += 2;
    } else if (word[i] == 0x9AF && joined && place == 2) {
      out.back() = 0x9C7;
      if (after(1) == 0x9BE) ++i;
    } else if (word[i] == 0x9AF && joined) {
      out.pop_back();
    } else if (word[i] == 0x9AC && joined && (place == 2 || (place >= 5 && before(3) == kVirama))) {
      out.pop_back();
    } else if (word[i] == 0x9AC && joined && place >= 2) {
      out.back() = before(2);
    } else if (word[i] == 0x983 && !last) {
      out += word[i + 1];
    } else if (word[i] == 0x983 && place + 1 <= 3) {
      out += char32_t{0x9B9};
    } else if (word[i] != 0x983) {
      out += word[i];
    }
  }
  word = std::move(out);
  replace_letters(word, U"\u09C0\u09C2\u0999\u09B6\u09B7\u09A3\u09DC\u09DD\u09CE",
                  U"\u09BF\u09C1\u0982\u09B8\u09B8\u09A8\u09B0\u09B0\u09A4");
}

void normalize_german(std::u32string& word) {
  std::u32string out;
  // "ae", "oe" and "ue" are one letter, except "ue" after a vowel or q.
  bool may_lose_e = false;
  bool behind_vowel = false;
  for (const char32_t letter : word) {
    if (letter == U'e' && may_lose_e) {
      may_lose_e = false;
      behind_vowel = true;
      continue;
    }
    may_lose_e = letter == U'a' || letter == U'o' || (letter == U'u' && !behind_vowel);
    behind_vowel = contains_letter(letter, U"aeiouyqäöü");
    if (letter == U'ß') {
      out += U"ss";
    } else {
      const size_t umlaut = LetterList(U"äöü").find(letter);
      out += umlaut == LetterList::npos ? letter : U"aou"[umlaut];
    }
  }
  word = std::move(out);
}

void normalize_serbian(std::u32string& word) {
  constexpr LetterList kFrom = U"абвгдежзžијклмнопрстћцчčćуфхшš";
  constexpr LetterList kTo = U"abvgdezzzijklmnoprstcccccufhss";
  struct Digraph {
    char32_t letter;
    LetterList latin;
  };
  constexpr Digraph kDigraphs[] = {
      {U'ђ', U"dj"}, {U'đ', U"dj"}, {U'љ', U"lj"}, {U'њ', U"nj"}, {U'џ', U"dz"}};
  std::u32string out;
  for (const char32_t letter : word) {
    const size_t at = kFrom.find(letter);
    const auto* pair = std::find_if(std::begin(kDigraphs), std::end(kDigraphs),
                                    [letter](const Digraph& one) { return one.letter == letter; });
    if (pair != std::end(kDigraphs)) {
      out += pair->latin;
    } else {
      out += at == LetterList::npos ? letter : kTo[at];
    }
  }
  word = std::move(out);
}

void normalize_scandinavian(std::u32string& word) {
  constexpr Pair kPairs[] = {
      {U'a', U"aAoO", U'å'}, {U'A', U"aAoO", U'Å'}, {U'a', U"eE", U'æ'},
      {U'A', U"eE", U'Æ'},   {U'o', U"eEoO", U'ø'}, {U'O', U"eEoO", U'Ø'},
  };
  replace_pairs(word, kPairs);
  replace_letters(word, U"äÄöÖ", U"æÆøØ");
}

void fold_scandinavian(std::u32string& word) {
  constexpr Pair kPairs[] = {
      {U'a', U"aAeEoO", U'a'},
      {U'A', U"aAeEoO", U'A'},
      {U'o', U"eEoO", U'o'},
      {U'O', U"eEoO", U'O'},
  };
  replace_pairs(word, kPairs);
  replace_letters(word, U"åäæÅÄÆøöØÖ", U"aaaAAAooOO");
}

void normalize_nfc(std::u32string& word) { normalize_unicode(NormalForm::kCanonical, true, word); }
void normalize_nfkc(std::u32string& word) {
  normalize_unicode(NormalForm::kCompatible, true, word);
}
void normalize_nfkc_casefold(std::u32string& word) {
  normalize_unicode(NormalForm::kCasefold, true, word);
}
void fold_icu(std::u32string& word) { normalize_unicode(NormalForm::kFolding, true, word); }

void NormalizationFilter::apply(TokenBuffer& out, AnalysisBudget& budget) const {
  std::u32string letters;
  std::string normal;
  for (Token& token : out.tokens) {
    if (!budget.allows(0, out.arena.used())) return;
    decode_word(token.text, letters);
    normalize_(letters);
    encode_word(letters, normal);
    if (normal != token.text) token.text = out.arena.copy(normal);
  }
}

}  // namespace quarry
