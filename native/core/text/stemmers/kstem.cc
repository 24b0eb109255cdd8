// The rules are tables of endings: the first ending of a table that a word has is the one that is
// replaced.
#include "text/stemmers/kstem.h"

#include <algorithm>
#include <optional>

#include "text/stemmers/kstem_lexicon.h"

namespace quarry {
namespace {

using EndingRule = KStemmer::EndingRule;

constexpr size_t kShortestWord = 3;
constexpr size_t kLongestWord = 49;

// Replacements: kBare is the stem alone, kSingle the stem without the last letter of a doubled
// consonant (no replacement where it has none); others are appended to the stem.
constexpr std::string_view kBare = "-";
constexpr std::string_view kSingle = "=";

constexpr EndingRule kPlural[] = {
    {"ies", 4, "ie y", "y"}, {"sses", 4, "ss sse", "sse"}, {"es", 4, "e -", "e"},
    {"es", 3, "- e", "e"},   {"ous", 3, "", ""},           {"ss", 3, "", ""},
    {"s", 4, "-", "-"},
};
constexpr EndingRule kPast[] = {{"ied", 5, "ie y", "y"}};

constexpr EndingRule kIty[] = {
    {"ility", 5, "il ile le", "le"}, {"ivity", 5, "iv ive", "ive"}, {"ity", 4, "- e", "-"}};
constexpr EndingRule kNess[] = {{"iness", 5, "y", "y"}, {"ness", 5, "-", "-"}};
constexpr EndingRule kIon[] = {
    {"ization", 8, "ize", "ize"}, {"ication", 8, "icate ice ic y icat", ""},
    {"ition", 6, "e ite it", ""}, {"ation", 6, "ate e - at", ""},
    {"ion", 4, "e -", ""},
};
constexpr EndingRule kEr[] = {
    {"izer", 5, "ize", "ize"}, {"ier", 3, "y ie i", ""},    {"ior", 3, "y ie i", ""},
    {"eer", 3, "- ee e", ""},  {"eor", 3, "- eo e ee", ""}, {"er", 3, "= e -", ""},
    {"or", 3, "= o - e", ""},
};
constexpr EndingRule kLy[] = {
    {"ally", 4, "alle al", "al"},
    {"ably", 4, "able ab", "able"},
    {"ily", 3, "ile i y", "i"},
    {"ly", 3, "le -", "-"},
};
constexpr EndingRule kAl[] = {
    {"ical", 4, "ic ice icum - y", "ic"}, {"ial", 4, "i ie ium -", ""}, {"al", 4, "- = e um", ""}};
constexpr EndingRule kIve[] = {{"ative", 5, "at ate e - ation", ""}, {"ive", 4, "- e ion", ""}};
constexpr EndingRule kIze[] = {{"ize", 4, "- = e", ""}};
constexpr EndingRule kMent[] = {{"ment", 5, "-", ""}};
constexpr EndingRule kBle[] = {{"able", 4, "- = e ate", ""}, {"ible", 4, "- = e ate", ""}};
constexpr EndingRule kIsm[] = {{"ism", 4, "-", "-"}};
constexpr EndingRule kIc[] = {{"ic", 3, "ical y e -", ""}};
constexpr EndingRule kNcy[] = {{"ancy", 4, "ant ance", "ance"}, {"ency", 4, "ent ence", "ence"}};
constexpr EndingRule kNce[] = {{"ance", 4, "e -", ""}, {"ence", 4, "e -", ""}};

constexpr std::span<const EndingRule> kDerivations[] = {kIty, kNess, kIon, kEr,  kLy, kAl,  kIve,
                                                        kIze, kMent, kBle, kIsm, kIc, kNcy, kNce};

bool is_small_letter(char c) { return c >= 'a' && c <= 'z'; }

/// Whether a letter is a consonant: y is one at the start of a word and after a vowel.
bool is_consonant(char letter, bool after_consonant) {
  if (letter == 'y') return !after_consonant;
  return std::string_view("aeiou").find(letter) == std::string_view::npos;
}

bool has_vowel(std::string_view text) {
  bool consonant = false;
  return std::any_of(text.begin(), text.end(), [&consonant](char letter) {
    consonant = is_consonant(letter, consonant);
    return !consonant;
  });
}

bool ends_with_consonant(std::string_view text) {
  bool consonant = false;
  for (const char letter : text) consonant = is_consonant(letter, consonant);
  return consonant;
}

bool ends_with_two_consonants(std::string_view text) {
  return text.size() > 1 && ends_with_consonant(text) &&
         ends_with_consonant(text.substr(0, text.size() - 1));
}

bool ends_with_doubled_consonant(std::string_view text) {
  return text.size() > 1 && text.back() == text[text.size() - 2] && ends_with_consonant(text);
}

/// Makes `stem` with the replacement in `out`; false when the replacement does not apply.
bool replaced(std::string_view stem, std::string_view replacement, std::string& out) {
  out.assign(stem);
  if (replacement == kBare) return true;
  if (replacement != kSingle) {
    out += replacement;
    return true;
  }
  if (!ends_with_doubled_consonant(stem)) return false;
  out.pop_back();
  return true;
}

}  // namespace

bool KStemmer::is_word(std::string_view text) {
  const auto entry = KStemLexicon::shared().find(text);
  if (entry) found_ = entry->root;
  return entry.has_value();
}

bool KStemmer::replace_ending(std::span<const EndingRule> rules) {
  const auto rule = std::find_if(rules.begin(), rules.end(), [this](const EndingRule& one) {
    return word_.size() >= one.letters && word_.ends_with(one.ending);
  });
  if (rule == rules.end()) return false;
  const std::string_view stem(word_.data(), word_.size() - rule->ending.size());
  for (std::string_view left = rule->tries; !left.empty();) {
    const size_t space = std::min(left.find(' '), left.size());
    if (replaced(stem, left.substr(0, space), tried_) && is_word(tried_)) return true;
    left.remove_prefix(std::min(space + 1, left.size()));
  }
  if (!rule->rest.empty() && replaced(stem, rule->rest, tried_)) word_.swap(tried_);
  return false;
}

/// -ed and -ing: the verb may have lost an e or doubled its consonant.
bool KStemmer::participle(std::string_view ending, size_t letters) {
  if (word_.size() < letters || !word_.ends_with(ending)) return false;
  const std::string_view stem(word_.data(), word_.size() - ending.size());
  if (!has_vowel(stem)) return false;
  tried_.assign(stem).push_back('e');
  const auto with_e = KStemLexicon::shared().find(tried_);
  if (with_e && !with_e->is_exception) {
    found_ = with_e->root;
    return true;
  }
  if (is_word(stem)) return true;
  const bool doubled = ends_with_doubled_consonant(stem);
  if (doubled && is_word(stem.substr(0, stem.size() - 1))) return true;
  if (doubled || (ending == "ing" && ends_with_two_consonants(stem))) {
    word_.resize(stem.size());
  } else if (ending != "ed" || !word_.starts_with("un")) {
    word_.swap(tried_);
  }
  return false;
}

bool KStemmer::inflections() {
  if (replace_ending(kPlural)) return true;
  if (word_.ends_with("ied") ? replace_ending(kPast) : participle("ed", 5)) return true;
  return participle("ing", 6);
}

bool KStemmer::derivations() {
  return std::any_of(std::begin(kDerivations), std::end(kDerivations),
                     [this](std::span<const EndingRule> rules) { return replace_ending(rules); });
}

std::string_view KStemmer::stem(std::string_view word) {
  if (word.size() < kShortestWord || word.size() > kLongestWord) return word;
  if (is_word(word)) return found_;
  if (!std::all_of(word.begin(), word.end(), is_small_letter)) return word;
  word_.assign(word);
  return inflections() || derivations() ? found_ : std::string_view(word_);
}

}  // namespace quarry
