// The rules are tables of endings: the first ending that matches a sufficiently long word is
// replaced.
#include "text/stemmers/light_stemmers.h"

#include <algorithm>
#include <span>

namespace quarry {
namespace {

using Word = std::u32string;
using Ending = std::u32string_view;

/// Replaces `ending` with `instead` in words of more than `longer_than` letters.
struct SuffixRule {
  size_t longer_than;
  Ending ending;
  Ending instead;
  bool last = true;  // later rules of the table are not applied
};

bool apply(const SuffixRule& rule, Word& word) {
  if (word.size() <= rule.longer_than || !Ending(word).ends_with(rule.ending)) return false;
  word.replace(word.size() - rule.ending.size(), rule.ending.size(), rule.instead);
  return true;
}

/// Returns true when a rule with `last` was applied.
bool apply_first(std::span<const SuffixRule> rules, Word& word) {
  return std::any_of(rules.begin(), rules.end(),
                     [&word](const SuffixRule& rule) { return apply(rule, word) && rule.last; });
}

bool is_any_of(char32_t letter, Ending letters) { return letters.find(letter) != Ending::npos; }

/// Replaces the letters of each group with its first letter.
void fold(Word& word, std::span<const Ending> groups) {
  for (char32_t& letter : word) {
    if (letter < 0x80) continue;
    for (const Ending group : groups) {
      if (is_any_of(letter, group)) letter = group.front();
    }
  }
}

constexpr Ending kVowels[] = {U"aàáâä", U"oòóôö", U"eèéêë", U"uùúûü", U"iìíîï"};

void stem_spanish(Word& word) {
  if (word.size() < 5) return;
  fold(word, kVowels);
  constexpr SuffixRule kRules[] = {
      {0, U"eses", U"es"}, {0, U"ces", U"z"}, {0, U"os", U""}, {0, U"as", U""},
      {0, U"es", U""},     {0, U"o", U""},    {0, U"a", U""},  {0, U"e", U""},
  };
  apply_first(kRules, word);
}

void stem_italian(Word& word) {
  if (word.size() < 6) return;
  fold(word, kVowels);
  constexpr SuffixRule kRules[] = {
      {0, U"ie", U""}, {0, U"he", U""}, {0, U"ii", U""}, {0, U"hi", U""}, {0, U"ia", U""},
      {0, U"io", U""}, {0, U"e", U""},  {0, U"i", U""},  {0, U"a", U""},  {0, U"o", U""},
  };
  apply_first(kRules, word);
}

/// Whether the letter before the ending allows a German word to lose an s or st.
bool takes_s(const Word& word, size_t from_end) {
  return is_any_of(word[word.size() - from_end], U"bdfghklmnt");
}

void stem_german(Word& word) {
  constexpr Ending kUmlauts[] = {U"aàáâä", U"oòóôö", U"iìíîï", U"uùúûü"};
  fold(word, kUmlauts);
  constexpr SuffixRule kFirst[] = {{5, U"ern", U""}, {4, U"em", U""}, {4, U"en", U""},
                                   {4, U"er", U""},  {4, U"es", U""}, {3, U"e", U""}};
  if (!apply_first(kFirst, word) && word.size() > 3 && takes_s(word, 2))
    apply({3, U"s", U""}, word);
  constexpr SuffixRule kSecond[] = {{5, U"est", U""}, {4, U"er", U""}, {4, U"en", U""}};
  if (!apply_first(kSecond, word) && word.size() > 4 && takes_s(word, 3))
    apply({4, U"st", U""}, word);
}

void stem_portuguese(Word& word) {
  if (word.size() < 4) return;
  constexpr SuffixRule kPlurals[] = {
      {4, U"res", U"r"},  {4, U"ses", U"s"},  {4, U"les", U"l"},  {4, U"zes", U"z"},
      {3, U"ns", U"m"},   {4, U"eis", U"el"}, {4, U"éis", U"el"}, {4, U"ais", U"al"},
      {4, U"óis", U"ol"}, {4, U"is", U"il"},  {3, U"ões", U"ão"}, {3, U"ães", U"ão"},
      {6, U"mente", U""}, {3, U"s", U""},
  };
  apply_first(kPlurals, word);
  constexpr SuffixRule kFeminine[] = {
      {7, U"inha", U"inho"}, {7, U"iaca", U"iaco"}, {7, U"eira", U"eiro"}, {6, U"osa", U"oso"},
      {6, U"ica", U"ico"},   {6, U"ida", U"ido"},   {6, U"ada", U"ado"},   {6, U"iva", U"ivo"},
      {6, U"ama", U"amo"},   {6, U"ona", U"ão"},    {6, U"ora", U"or"},    {6, U"esa", U"ês"},
      {6, U"na", U"no"},
  };
  apply_first(kFeminine, word);
  constexpr SuffixRule kVowel[] = {{4, U"e", U""}, {4, U"a", U""}, {4, U"o", U""}};
  apply_first(kVowel, word);
  constexpr Ending kAccents[] = {U"aàáâäã", U"oòóôöõ", U"eèéêë", U"uùúûü", U"iìíîï", U"cç"};
  fold(word, kAccents);
}

bool is_stem_letter(char32_t c) {
  return c >= 0x80 || (c >= U'a' && c <= U'z') || (c >= U'A' && c <= U'Z');
}

/// Removes accents, doubled letters and verb endings.
void finish_french(Word& word) {
  if (word.size() > 4) {
    constexpr Ending kAccents[] = {U"aàáâ", U"oô", U"eèéê", U"uùû", U"iî", U"cç"};
    fold(word, kAccents);
    const auto doubled = [](char32_t a, char32_t b) { return a == b && is_stem_letter(a); };
    word.erase(std::unique(word.begin(), word.end(), doubled), word.end());
  }
  apply({4, U"ie", U""}, word);
  if (word.size() <= 4) return;
  for (const char32_t letter : {U'r', U'e', U'e'}) {
    if (word.back() == letter) word.pop_back();
  }
  if (word.size() > 1 && word.back() == word[word.size() - 2] && is_stem_letter(word.back()))
    word.pop_back();
}

void stem_french(Word& word) {
  if (word.size() > 5 && word.back() == U'x') {
    const size_t size = word.size();
    if (Ending(word).ends_with(U"aux") && word[size - 4] != U'e') word[size - 2] = U'l';
    word.pop_back();
  }
  apply({3, U"x", U""}, word);
  apply({3, U"s", U""}, word);
  constexpr SuffixRule kRules[] = {
      {9, U"issement", U"ir"},    {8, U"issant", U"ir"},
      {6, U"ement", U"e"},        {11, U"ficatrice", U"fier"},
      {10, U"ficateur", U"fier"}, {9, U"catrice", U"quer"},
      {8, U"cateur", U"quer"},    {8, U"atrice", U"er"},
      {7, U"ateur", U"er"},       {6, U"trice", U"teur", false},
      {5, U"ième", U""},          {7, U"teuse", U"ter"},
      {6, U"teur", U"ter"},       {5, U"euse", U"eu"},
      {8, U"ère", U"er"},         {7, U"ive", U"if"},
      {4, U"folle", U"fou"},      {4, U"molle", U"mou"},
      {9, U"nnelle", U"n"},       {9, U"nnel", U"n"},
      {4, U"ète", U"et", false},  {8, U"ique", U"", false},
      {8, U"esse", U"e"},         {7, U"inage", U"in"},
      {9, U"isation", U""},       {9, U"isateur", U""},
      {8, U"ation", U""},         {8, U"ition", U""},
  };
  // The remainder of "ivement" and "ualisation" is replaced once more.
  for (const SuffixRule& rule : kRules) {
    if (!apply(rule, word)) continue;
    if (rule.ending == U"ement") apply({3, U"ive", U"if"}, word);
    if (rule.ending == U"isation") apply({5, U"ual", U"uel"}, word);
    if (rule.last) break;
  }
  finish_french(word);
}

struct Named {
  std::string_view name;
  LightStem stem;
};
constexpr Named kStemmers[] = {
    {"light_french", stem_french},   {"light_german", stem_german},
    {"light_italian", stem_italian}, {"light_portuguese", stem_portuguese},
    {"light_spanish", stem_spanish},
};

}  // namespace

LightStem find_light_stemmer(std::string_view name) {
  for (const Named& known : kStemmers) {
    if (known.name == name) return known.stem;
  }
  return nullptr;
}

}  // namespace quarry
