// Light stemmers that remove the first matching ending of a sufficiently long word: arabic,
// bengali, bulgarian, czech, hindi, latvian, persian and sorani, with the rules of Lucene's
// stemmers of these languages.
#include "text/stemmers/suffix_stemmers.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "text/stemmers/word_endings.h"

namespace quarry {
namespace {

/// Removes every ending of the list in turn, when two letters are left.
void drop_each(std::u32string& word, EndingText endings) {
  any_item(endings, [&word](EndingText ending) {
    swap_ending(word, ending.size() + 1, ending, U"");
    return false;
  });
}

void stem_arabic(std::u32string& word) {
  // The prefixes are articles and conjunctions; a single letter needs a longer word.
  any_item(U"ال وال بال كال فال لل و", [&word](EndingText prefix) {
    const size_t least = prefix.size() == 1 ? 4 : prefix.size() + 2;
    if (word.size() < least || !EndingText(word).starts_with(prefix)) return false;
    word.erase(0, prefix.size());
    return true;
  });
  drop_each(word, U"ها ان ات ون ين يه ية ه ة ي");
}

void stem_persian(std::u32string& word) { drop_each(word, U"ات ان ترين تر يي ي ها \u200C"); }

void stem_hindi(std::u32string& word) {
  constexpr Endings kRules[] = {
      {6, U"ाएंगी ाएंगे ाऊंगी ाऊंगा ाइयाँ ाइयों ाइयां"},
      {5, U"ाएगी ाएगा ाओगी ाओगे एंगी ेंगी एंगे ेंगे ूंगी ूंगा ातीं नाओं नाएं ताओं ताएं ियाँ ियों ियां"},
      {4, U"ाकर ाइए ाईं ाया ेगी ेगा ोगी ोगे ाने ाना ाते ाती ाता तीं ाओं ाएं ुओं ुएं ुआं"},
      {3, U"कर ाओ िए ाई ाए ने नी ना ते ीं ती ता ाँ ां ों ें"},
      {2, U"ो े ू ु ी ि ा"},
  };
  drop_first(kRules, word);
}

void stem_bengali(std::u32string& word) {
  constexpr Endings kRules[] = {
      {9, U"িয়াছিলাম িতেছিলাম িতেছিলেন ইতেছিলেন িয়াছিলেন ইয়াছিলেন"},
      {8, U"িতেছিলি িতেছিলে িয়াছিলা িয়াছিলে িতেছিলা িয়াছিলি য়েদেরকে"},
      {7, U"িতেছিস িতেছেন িয়াছিস িয়াছেন েছিলাম েছিলেন েদেরকে"},
      {6, U"িতেছি িতেছা িতেছে ছিলাম ছিলেন িয়াছি িয়াছা িয়াছে েছিলে েছিলা য়েদের দেরকে"},
      {5, U"িলাম িলেন িতাম িতেন িবেন ছিলি ছিলে ছিলা তেছে িতেছ খানা খানি গুলো গুলি য়েরা েদের"},
      {4,
       U"লাম িলি ইলি িলে ইলে লেন িলা ইলা তাম িতি ইতি িতে ইতে তেন িতা িবা ইবা িবি ইবি বেন িবে ইবে "
       U"ছেন য়োন "
       U"য়ের েরা দের"},
      {3, U"িস েন লি লে লা তি তে তা বি বে বা ছি ছা ছে ুন ুক টা টি নি ের রা কে"},
      {2, U"ি ী া ো ে ব ত"},
  };
  drop_first(kRules, word);
}

void stem_czech(std::u32string& word) {
  constexpr Endings kCases[] = {
      {7, U"atech"},
      {6, U"ětem etem atům"},
      {5,
       U"ech ich ích ého ěmi emi ému ěte ete ěti eti ího iho ími ímu imu ách ata aty ých ama ami "
       U"ové "
       U"ovi ými"},
      {4, U"em es ém ím ům at ám os us ým mi ou"},
      {3, U"a e i o u ů y á é í ý ě"},
  };
  drop_first(kCases, word);
  drop_ending({5, U"ov in ův"}, word);
  if (word.empty()) return;
  if (swap_ending(word, 0, U"čt", U"ck") || swap_ending(word, 0, U"št", U"sk")) return;
  for (const auto& [from, to] : {std::pair{U'c', U'k'}, {U'č', U'k'}, {U'z', U'h'}, {U'ž', U'h'}}) {
    if (word.back() != from) continue;
    word.back() = to;
    return;
  }
  const size_t size = word.size();
  if (size > 1 && word[size - 2] == U'e') {
    word.erase(size - 2, 1);
  } else if (size > 2 && word[size - 2] == U'ů') {
    word[size - 2] = U'o';
  }
}

void remove_bulgarian_plural(std::u32string& word) {
  if (swap_ending(word, 6, U"овци", U"о") || swap_ending(word, 6, U"ове", U"") ||
      swap_ending(word, 6, U"еве", U"й") || swap_ending(word, 5, U"ища", U"") ||
      swap_ending(word, 5, U"та", U"") || swap_ending(word, 5, U"ци", U"к") ||
      swap_ending(word, 5, U"зи", U"г"))
    return;
  const size_t size = word.size();
  if (size > 5 && word[size - 3] == U'е' && word.back() == U'и') {
    word[size - 3] = U'я';
    word.pop_back();
    return;
  }
  if (!swap_ending(word, 4, U"си", U"х")) drop_ending({4, U"и"}, word);
}

void stem_bulgarian(std::u32string& word) {
  if (word.size() < 4 || drop_ending({5, U"ища"}, word)) return;
  constexpr Endings kArticles[] = {{6, U"ият"}, {5, U"ът то те та ия"}, {4, U"ят"}};
  drop_first(kArticles, word);
  remove_bulgarian_plural(word);
  if (word.size() > 3) {
    drop_ending({0, U"я"}, word);
    drop_ending({0, U"а о е"}, word);
  }
  swap_ending(word, 4, U"ен", U"н");
  if (word.size() > 5 && word[word.size() - 2] == U'ъ') word.erase(word.size() - 2, 1);
}

void stem_sorani(std::u32string& word) {
  if (!drop_ending({5, U"دا"}, word) && !swap_ending(word, 4, U"نا", U"ن"))
    drop_ending({6, U"ەوە"}, word);
  drop_ending({6, U"مان یان تان"}, word);
  constexpr Endings kFirst[] = {
      {6, U"ێکی"}, {7, U"یەکی"}, {5, U"ێک"},  {6, U"یەک"}, {6, U"ەکە"}, {5, U"کە"},   {7, U"ەکان"},
      {6, U"کان"}, {7, U"یانی"}, {6, U"انی"}, {6, U"یان"}, {5, U"ان"},  {7, U"یانە"}, {6, U"انە"},
  };
  if (drop_first(kFirst, word)) return;
  if (swap_ending(word, 5, U"ایە", U"ا") || swap_ending(word, 5, U"ەیە", U"ە")) return;
  drop_ending({4, U"ە ی"}, word);
}

struct LatvianEnding {
  EndingText ending;
  size_t vowels;  // the word has more
  bool palatalizes = false;
};
constexpr LatvianEnding kLatvianEndings[] = {
    {U"ajiem", 3}, {U"ajai", 3},      {U"ajam", 2},     {U"ajām", 2},    {U"ajos", 2},
    {U"ajās", 2},  {U"iem", 2, true}, {U"ajā", 2},      {U"ais", 2},     {U"ai", 2},
    {U"ei", 2},    {U"ām", 1},        {U"am", 1},       {U"ēm", 1},      {U"īm", 1},
    {U"im", 1},    {U"um", 1},        {U"us", 1, true}, {U"as", 1},      {U"ās", 1},
    {U"es", 1},    {U"os", 1, true},  {U"ij", 1},       {U"īs", 1},      {U"ēs", 1},
    {U"is", 1},    {U"ie", 1},        {U"u", 1, true},  {U"a", 1, true}, {U"i", 1, true},
    {U"e", 1},     {U"ā", 1},         {U"ē", 1},        {U"ī", 1},       {U"ū", 1},
    {U"o", 1},     {U"s", 0},         {U"š", 0},
};

/// Restores the consonant before an ending that made it soft.
void unpalatalize(std::u32string& word, char32_t removed) {
  if (removed == U'u' &&
      (swap_ending(word, 0, U"kš", U"kst") || swap_ending(word, 0, U"ņņ", U"nn")))
    return;
  for (const EndingText labial : {U"pj", U"bj", U"mj", U"vj"}) {
    if (!EndingText(word).ends_with(labial)) continue;
    word.pop_back();
    return;
  }
  constexpr std::pair<EndingText, EndingText> kPairs[] = {
      {U"šņ", U"sn"}, {U"žņ", U"zn"}, {U"šļ", U"sl"}, {U"žļ", U"zl"}, {U"ļņ", U"ln"},
      {U"ļļ", U"ll"}, {U"č", U"c"},   {U"ļ", U"l"},   {U"ņ", U"n"}};
  for (const auto& [soft, hard] : kPairs) {
    if (swap_ending(word, 0, soft, hard)) return;
  }
}

void stem_latvian(std::u32string& word) {
  const auto vowels =
      static_cast<size_t>(std::count_if(word.begin(), word.end(), [](char32_t letter) {
        return EndingText(U"aeiouāīēū").find(letter) != EndingText::npos;
      }));
  for (const LatvianEnding& rule : kLatvianEndings) {
    if (vowels <= rule.vowels || word.size() < rule.ending.size() + 3 ||
        !EndingText(word).ends_with(rule.ending))
      continue;
    word.resize(word.size() - rule.ending.size());
    if (rule.palatalizes) unpalatalize(word, rule.ending.front());
    return;
  }
}

/// Plurals of English only.
void stem_minimal_english(std::u32string& word) {
  const size_t size = word.size();
  if (size < 3 || word.back() != U's') return;
  const char32_t before = word[size - 2];
  if (before == U'u' || before == U's') return;
  if (before == U'e') {
    if (size > 3 && word[size - 3] == U'i' && word[size - 4] != U'a' && word[size - 4] != U'e') {
      word[size - 3] = U'y';
      word.resize(size - 2);
      return;
    }
    if (EndingText(U"iaoe").find(word[size - 3]) != EndingText::npos) return;
  }
  word.pop_back();
}

struct NamedStemmer {
  std::string_view name;
  LightStem stem;
};
constexpr NamedStemmer kSuffixStemmers[] = {
    {"light_arabic", stem_arabic},
    {"light_bengali", stem_bengali},
    {"light_bulgarian", stem_bulgarian},
    {"light_czech", stem_czech},
    {"light_hindi", stem_hindi},
    {"light_latvian", stem_latvian},
    {"light_persian", stem_persian},
    {"light_sorani", stem_sorani},
    {"minimal_english", stem_minimal_english},
};

}  // namespace

LightStem find_suffix_stemmer(std::string_view name) {
  for (const NamedStemmer& known : kSuffixStemmers) {
    if (known.name == name) return known.stem;
  }
  return nullptr;
}

}  // namespace quarry
