// The rules are those of Lucene's stemmers: most are tables of endings, tried in order, of which
// the first one that matches is removed.
#include "text/stemmers/case_stemmers.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>

#include "text/stemmers/word_endings.h"

namespace quarry {
namespace {

bool is_case_vowel(char32_t letter) {
  return EndingText(U"aeiouy").find(letter) != EndingText::npos;
}
/// The letter at a distance from the end: 1 is the last one.
char32_t letter_from_end(const std::u32string& word, size_t distance) {
  return word[word.size() - distance];
}
void cut(std::u32string& word, size_t letters) { word.resize(word.size() - letters); }

/// The ending of a Finnish case, and the possessive before it.
void drop_finnish_case(std::u32string& word) {
  if (swap_ending(word, 8, U"nnen", U"s") || swap_ending(word, 8, U"ntena", U"s") ||
      drop_ending({8, U"tten eiden"}, word) || drop_ending({6, U"neen niin seen teen inen"}, word))
    return;
  if (word.size() > 6 && word.back() == U'n' && letter_from_end(word, 3) == U'h' &&
      is_case_vowel(letter_from_end(word, 2))) {
    cut(word, 3);
    return;
  }
  if (swap_ending(word, 6, U"den", U"s") || swap_ending(word, 6, U"ksen", U"s") ||
      drop_ending({6, U"ssa sta lla lta tta ksi lle"}, word) ||
      drop_ending({5, U"na ne nei"}, word) || drop_ending({4, U"ja ta a"}, word))
    return;
  if (word.size() > 4 && word.back() == U'n')
    cut(word, is_case_vowel(letter_from_end(word, 2)) ? 2 : 1);
}

void stem_finnish(std::u32string& word) {
  if (word.size() < 4) return;
  fold_letters(word, U"äåö", U"aao");
  while (drop_ending({8, U"kin ko"}, word)) continue;
  drop_ending({11, U"dellinen dellisuus"}, word);
  if (!drop_ending({5, U"lla tse sti ni"}, word)) swap_ending(word, 5, U"aa", U"a");
  drop_finnish_case(word);
  swap_ending(word, 5, U"hde", U"ksi");
  if (!drop_ending({4, U"ei at"}, word)) drop_ending({3, U"t s j e a i"}, word);
  drop_ending({8, U"e o u"}, word);
  drop_ending({4, U"i"}, word);
  if (word.size() <= 4) return;
  const auto doubled = [](char32_t first, char32_t second) {
    return first == second && EndingText(U"kpt").find(first) != EndingText::npos;
  };
  word.erase(std::unique(word.begin(), word.end(), doubled), word.end());
}

void drop_hungarian_case(std::u32string& word) {
  if (drop_ending({6, U"kent"}, word) ||
      drop_ending({5, U"nak nek val vel ert rol ban ben bol nal nel hoz hez tol"}, word))
    return;
  const auto doubled_before = [&word](size_t ending) {
    const char32_t letter = letter_from_end(word, ending + 1);
    return !is_case_vowel(letter) && letter == letter_from_end(word, ending + 2);
  };
  const EndingText text(word);
  if (word.size() > 5 && (text.ends_with(U"al") || text.ends_with(U"el")) && doubled_before(2)) {
    cut(word, 3);
    return;
  }
  if (drop_ending({4, U"at et ot va ve ra re ba be ul ig"}, word) || word.size() <= 4) return;
  if ((text.ends_with(U"on") || text.ends_with(U"en")) &&
      !is_case_vowel(letter_from_end(word, 3))) {
    cut(word, 2);
  } else if (ends_with_any(word, U"tn")) {
    cut(word, 1);
  } else if (ends_with_any(word, U"ae") && doubled_before(1)) {
    cut(word, 2);
  }
}

void drop_hungarian_possessive(std::u32string& word) {
  const auto vowel = [&word](size_t distance) {
    return is_case_vowel(letter_from_end(word, distance));
  };
  const size_t size = word.size();
  if (size > 6 && !vowel(5) && drop_ending({6, U"atok otok etek"}, word)) return;
  if (drop_ending({6, U"itek itok"}, word)) return;
  if (size > 5 && !vowel(4) && drop_ending({5, U"unk tok tek"}, word)) return;
  if (size > 5 && vowel(4) && drop_ending({5, U"juk"}, word)) return;
  if (drop_ending({5, U"ink"}, word)) return;
  if (size > 4 && !vowel(3) && drop_ending({4, U"am em om ad ed od uk"}, word)) return;
  if (size > 4 && vowel(3) && drop_ending({4, U"nk ja je"}, word)) return;
  if (drop_ending({4, U"im id ik"}, word) || size <= 3) return;
  const bool after_vowel = vowel(2);
  const bool drops = after_vowel ? ends_with_any(word, U"mdi") : ends_with_any(word, U"aei");
  if (drops) cut(word, 1);
}

void stem_hungarian(std::u32string& word) {
  fold_letters(word, U"áëéíóőõöúűũûü", U"aeeioooouuuuu");
  drop_hungarian_case(word);
  drop_hungarian_possessive(word);
  if (!drop_ending({4, U"ak ok ek"}, word)) drop_ending({3, U"k"}, word);
  drop_ending({3, U"a e i o"}, word);
}

void stem_russian(std::u32string& word) {
  constexpr Endings kCases[] = {
      {6, U"иями оями"},
      {5, U"иям иях оях ями оям оьв ами его ему ери ими ого ому ыми оев"},
      {4,
       U"ая яя ях юю ах ею их ия ию ьв ою ую ям ых ея ам ем ей ём ев ий им ое ой ом ов ые ый ым "
       U"ми"},
      {3, U"а е и о у й ы я ь"},
  };
  drop_first(kCases, word);
  if (!drop_ending({3, U"ь и"}, word)) swap_ending(word, 3, U"нн", U"н");
}

void stem_swedish(std::u32string& word) {
  drop_ending({4, U"s"}, word);
  constexpr Endings kRules[] = {
      {7, U"elser heten"}, {6, U"arne erna ande else aste orna aren"},
      {5, U"are ast het"}, {4, U"ar er or en at te et"},
      {3, U"t a e n"},
  };
  drop_first(kRules, word);
}

void stem_minimal_swedish(std::u32string& word) {
  drop_ending({4, U"s"}, word);
  constexpr Endings kRules[] = {
      {6, U"arne erna arna orna aren"}, {5, U"are"}, {4, U"ar at er et or en"}, {3, U"a e n"}};
  drop_first(kRules, word);
}

void stem_norwegian(std::u32string& word) {
  drop_ending({4, U"s"}, word);
  constexpr Endings kRules[] = {
      {7, U"heter heten"}, {5, U"dom het"},        {7, U"elser elsen"}, {6, U"ende else este eren"},
      {5, U"ere est ene"}, {4, U"er en et st te"}, {3, U"a e n"},
  };
  drop_first(kRules, word);
}

void stem_nynorsk(std::u32string& word) {
  drop_ending({4, U"s"}, word);
  constexpr Endings kRules[] = {
      {7, U"heita"},           {8, U"heiter leiken leikar"}, {5, U"dom"},
      {6, U"heit semd leik"},  {7, U"elser elsen"},          {6, U"ande else aste aren"},
      {5, U"are ast ene ane"}, {4, U"er en et ar te"},       {3, U"a e n"},
  };
  drop_first(kRules, word);
}

void stem_minimal_norwegian(std::u32string& word) {
  drop_ending({4, U"s"}, word);
  constexpr Endings kRules[] = {{5, U"ene"}, {4, U"er en et"}, {3, U"a e"}};
  drop_first(kRules, word);
}

void stem_minimal_nynorsk(std::u32string& word) {
  drop_ending({4, U"s"}, word);
  constexpr Endings kRules[] = {{5, U"ene ane"}, {4, U"er en et ar"}, {3, U"a e"}};
  drop_first(kRules, word);
}

void stem_minimal_german(std::u32string& word) {
  if (word.size() < 5) return;
  fold_letters(word, U"äöü", U"aou");
  constexpr Endings kRules[] = {{6, U"nen"}, {5, U"en se es er"}, {0, U"n e s r"}};
  drop_first(kRules, word);
}

void stem_minimal_french(std::u32string& word) {
  if (word.size() < 6) return;
  if (word.back() == U'x') {
    if (!swap_ending(word, 0, U"aux", U"al")) cut(word, 1);
    return;
  }
  for (const char32_t letter : EndingText(U"sreé")) {
    if (word.back() == letter) cut(word, 1);
  }
  const char32_t last = word.back();
  const bool letter =
      last >= 0x80 || (last >= U'a' && last <= U'z') || (last >= U'A' && last <= U'Z');
  if (letter && last == letter_from_end(word, 2)) cut(word, 1);
}

/// The plurals of Portuguese words, by the first step of the RSLP stemmer (Orengo and Huyck 2001).
void stem_minimal_portuguese(std::u32string& word) {
  struct Plural {
    EndingText ending;
    size_t least;  // letters before the ending
    EndingText instead;
    EndingText exceptions = {};  // whole words, separated by spaces
  };
  constexpr Plural kPlurals[] = {
      {U"ns", 1, U"m"},
      {U"ões", 3, U"ão"},
      {U"ães", 1, U"ão", U"mães"},
      {U"ais", 1, U"al", U"cais mais"},
      {U"éis", 2, U"el"},
      {U"eis", 2, U"el"},
      {U"óis", 2, U"ol"},
      {U"is", 2, U"il", U"lápis cais mais crúcis biquínis pois depois dois leis"},
      {U"les", 3, U"l"},
      {U"res", 3, U"r", U"árvores"},
      {U"s", 2, U"",
       U"aliás pires lápis cais mais mas menos férias fezes pêsames crúcis gás atrás moisés "
       U"através "
       U"convés ês país após ambas ambos messias depois"},
  };
  if (word.size() < 3) return;
  for (const Plural& rule : kPlurals) {
    const bool exception = any_item(rule.exceptions, [&](EndingText one) { return one == word; });
    const size_t longer_than = rule.least + rule.ending.size() - 1;
    if (!exception && swap_ending(word, longer_than, rule.ending, rule.instead)) return;
  }
}

/// Indonesian words have prefixes, too (Tala 2003). Affixes are removed while a word has more than
/// two syllables.
class IndonesianWord {
 public:
  explicit IndonesianWord(std::u32string& word) : word_(word) {
    syllables_ = std::count_if(word.begin(), word.end(), is_vowel);
  }

  void stem() {
    drop(U"kah lah pun");
    drop(U"ku mu nya");
    if (drop_first_prefix()) {
      if (drop_derivation()) drop_second_prefix();
    } else {
      drop_second_prefix();
      drop_derivation();
    }
  }

 private:
  enum Removed : uint8_t {
    kNone = 0,
    kKe = 1,
    kPeng = 2,
    kDi = 4,
    kMeng = 8,
    kTer = 16,
    kBer = 32,
    kPe = 64
  };

  struct Prefix {
    EndingText text;
    EndingText instead;
    Removed removed;
    bool before_vowel = false;
  };

  static bool is_vowel(char32_t letter) {
    return EndingText(U"aeiou").find(letter) != EndingText::npos;
  }

  bool drop(EndingText endings) {
    if (syllables_ <= 2 || !drop_ending({0, endings}, word_)) return false;
    --syllables_;
    return true;
  }

  bool replace(const Prefix& prefix) {
    const size_t size = prefix.text.size();
    if (!EndingText(word_).starts_with(prefix.text)) return false;
    if (prefix.before_vowel && (word_.size() <= size || !is_vowel(word_[size]))) return false;
    word_.replace(0, size, prefix.instead);
    removed_ = static_cast<uint8_t>(removed_ | prefix.removed);
    --syllables_;
    return true;
  }

  bool drop_first_prefix() {
    constexpr Prefix kPrefixes[] = {
        {U"meng", U"", kMeng},        {U"meny", U"s", kMeng, true},
        {U"men", U"", kMeng},         {U"mem", U"", kMeng},
        {U"me", U"", kMeng},          {U"peng", U"", kPeng},
        {U"peny", U"s", kPeng, true}, {U"peny", U"", kPeng},
        {U"pen", U"t", kPeng, true},  {U"pen", U"", kPeng},
        {U"pem", U"", kPeng},         {U"di", U"", kDi},
        {U"ter", U"", kTer},          {U"ke", U"", kKe},
    };
    return syllables_ > 2 && std::any_of(std::begin(kPrefixes), std::end(kPrefixes),
                                         [this](const Prefix& one) { return replace(one); });
  }

  void drop_second_prefix() {
    if (syllables_ <= 2) return;
    constexpr Prefix kBers[] = {{U"ber", U"", kBer}, {U"bel", U"", kBer}, {U"be", U"", kBer}};
    constexpr Prefix kPers[] = {{U"per", U"", kNone}, {U"pel", U"", kNone}, {U"pe", U"", kPe}};
    if (replace(kBers[0]) || (word_ == U"belajar" && replace(kBers[1]))) return;
    const bool be = word_.size() > 4 && !is_vowel(word_[2]) && word_[3] == U'e' && word_[4] == U'r';
    if (be && replace(kBers[2])) return;
    if (replace(kPers[0]) || (word_ == U"pelajar" && replace(kPers[1]))) return;
    replace(kPers[2]);
  }

  bool drop_derivation() {
    if ((removed_ & (kKe | kPeng | kPe)) == 0 && drop(U"kan")) return true;
    if ((removed_ & (kDi | kMeng | kTer)) == 0 && drop(U"an")) return true;
    return (removed_ & (kBer | kKe | kPeng)) == 0 && !EndingText(word_).ends_with(U"si") &&
           drop(U"i");
  }

  std::u32string& word_;
  std::ptrdiff_t syllables_ = 0;
  uint8_t removed_ = kNone;  // bits of Removed
};

void stem_indonesian(std::u32string& word) { IndonesianWord(word).stem(); }

struct CaseStemmer {
  std::string_view name;
  LightStem stem;
};
constexpr CaseStemmer kCaseStemmers[] = {
    {"light_finnish", stem_finnish},           {"light_hungarian", stem_hungarian},
    {"light_indonesian", stem_indonesian},     {"light_norwegian", stem_norwegian},
    {"light_nynorsk", stem_nynorsk},           {"light_russian", stem_russian},
    {"light_swedish", stem_swedish},           {"minimal_french", stem_minimal_french},
    {"minimal_german", stem_minimal_german},   {"minimal_norwegian", stem_minimal_norwegian},
    {"minimal_nynorsk", stem_minimal_nynorsk}, {"minimal_portuguese", stem_minimal_portuguese},
    {"minimal_swedish", stem_minimal_swedish},
};

}  // namespace

LightStem find_case_stemmer(std::string_view name) {
  for (const CaseStemmer& known : kCaseStemmers) {
    if (known.name == name) return known.stem;
  }
  return nullptr;
}

}  // namespace quarry
