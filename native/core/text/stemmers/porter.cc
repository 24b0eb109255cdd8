// Step names follow the paper. The rules of a list are tried by suffix; the first suffix that
// matches decides the step.
#include "text/stemmers/porter.h"

#include <cstring>
#include <string_view>

#include "text/analysis/utf8.h"

namespace quarry {
namespace {

struct PorterRule {
  std::string_view suffix;
  std::string_view replacement;
};

/// The number of a letter, 0 to 25; 31 for every other character.
constexpr uint32_t letter(char c) noexcept {
  return c >= 'a' && c <= 'z' ? static_cast<uint32_t>(c - 'a') : 31U;
}

/// One bit for the second-to-last letter of each suffix.
template <size_t N>
constexpr uint32_t penultimates_of(const PorterRule (&rules)[N]) {
  uint32_t bits = 0;
  for (const PorterRule& rule : rules) bits |= 1U << letter(rule.suffix[rule.suffix.size() - 2]);
  return bits;
}

class Porter {
 public:
  Porter(char* word, size_t length) noexcept : word_(word), size_(length) {}

  size_t run() noexcept {
    plurals();
    past_and_progressive();
    terminal_y();
    apply_step2();
    apply_step3();
    drop_suffix();
    final_e();
    return size_;
  }

 private:
  std::string_view view() const noexcept { return {word_, size_}; }
  bool ends(std::string_view suffix) const noexcept { return view().ends_with(suffix); }

  /// Whether the second-to-last letter agrees, which rules out most suffixes by comparing one byte.
  bool near_end(std::string_view suffix) const noexcept {
    return word_[size_ - 2] == suffix[suffix.size() - 2];
  }

  bool vowel(size_t at) const noexcept {
    switch (word_[at]) {
      case 'a':
      case 'e':
      case 'i':
      case 'o':
      case 'u':
        return true;
      case 'y':
        return at > 0 && !vowel(at - 1);
      default:
        return false;
    }
  }
  bool has_vowel(size_t length) const noexcept {
    for (size_t i = 0; i < length; ++i) {
      if (vowel(i)) return true;
    }
    return false;
  }
  /// m of the paper: the number of vowel-consonant sequences in the first `length` bytes.
  size_t measure(size_t length) const noexcept {
    size_t count = 0;
    bool after_vowel = false;
    for (size_t i = 0; i < length; ++i) {
      const bool is_vowel = vowel(i);
      if (after_vowel && !is_vowel) ++count;
      after_vowel = is_vowel;
    }
    return count;
  }
  bool double_consonant() const noexcept {
    if (size_ < 2 || word_[size_ - 1] != word_[size_ - 2]) return false;
    const char c = word_[size_ - 1];
    return c >= 'a' && c <= 'z' && !vowel(size_ - 1);
  }
  /// *o of the paper: ends with consonant, vowel, consonant, where the last is not w, x or y.
  bool short_syllable(size_t length) const noexcept {
    if (length < 3 || vowel(length - 1) || !vowel(length - 2) || vowel(length - 3)) return false;
    const char c = word_[length - 1];
    return c != 'w' && c != 'x' && c != 'y';
  }

  void replace(size_t suffix, std::string_view text) noexcept {
    size_ -= suffix;
    std::memcpy(word_ + size_, text.data(), text.size());  // never longer than the replaced suffix
    size_ += text.size();
  }

  void plurals() noexcept {
    if (word_[size_ - 1] != 's') return;
    if (ends("sses") || ends("ies")) {
      size_ -= 2;
    } else if (!ends("ss")) {
      size_ -= 1;
    }
  }

  void past_and_progressive() noexcept {
    if (ends("eed")) {
      if (measure(size_ - 3) > 0) --size_;
      return;
    }
    const size_t suffix = ends("ed") ? 2 : ends("ing") ? 3 : 0;
    if (suffix == 0 || !has_vowel(size_ - suffix)) return;
    size_ -= suffix;
    if (ends("at") || ends("bl") || ends("iz")) {
      word_[size_++] = 'e';
    } else if (double_consonant()) {
      const char c = word_[size_ - 1];
      if (c != 'l' && c != 's' && c != 'z') --size_;
    } else if (measure(size_) == 1 && short_syllable(size_)) {
      word_[size_++] = 'e';
    }
  }

  void terminal_y() noexcept {
    if (ends("y") && has_vowel(size_ - 1)) word_[size_ - 1] = 'i';
  }

  /// Most words end in none of the suffixes, which the second-to-last letter shows without a
  /// comparison.
  template <size_t N>
  void apply_first(const PorterRule (&rules)[N], uint32_t penultimates) noexcept {
    if (size_ < 2 || ((penultimates >> letter(word_[size_ - 2])) & 1U) == 0) return;
    for (const PorterRule& rule : rules) {
      if (!near_end(rule.suffix) || !ends(rule.suffix)) continue;
      if (measure(size_ - rule.suffix.size()) > 0) replace(rule.suffix.size(), rule.replacement);
      return;
    }
  }

  void apply_step2() noexcept {
    static constexpr PorterRule kRules[] = {
        {"ational", "ate"}, {"tional", "tion"}, {"enci", "ence"},   {"anci", "ance"},
        {"izer", "ize"},    {"bli", "ble"},     {"alli", "al"},     {"entli", "ent"},
        {"eli", "e"},       {"ousli", "ous"},   {"ization", "ize"}, {"ation", "ate"},
        {"ator", "ate"},    {"alism", "al"},    {"iveness", "ive"}, {"fulness", "ful"},
        {"ousness", "ous"}, {"aliti", "al"},    {"iviti", "ive"},   {"biliti", "ble"},
        {"logi", "log"},
    };
    static constexpr uint32_t kPenultimates = penultimates_of(kRules);
    apply_first(kRules, kPenultimates);
  }

  void apply_step3() noexcept {
    static constexpr PorterRule kRules[] = {
        {"icate", "ic"}, {"ative", ""}, {"alize", "al"}, {"iciti", "ic"},
        {"ical", "ic"},  {"ful", ""},   {"ness", ""},
    };
    static constexpr uint32_t kPenultimates = penultimates_of(kRules);
    apply_first(kRules, kPenultimates);
  }

  void drop_suffix() noexcept {
    static constexpr std::string_view kSuffixes[] = {
        "al",   "ance", "ence", "er",  "ic",  "able", "ible", "ant", "ement",
        "ment", "ent",  "ou",   "ism", "ate", "iti",  "ous",  "ive", "ize",
    };
    if (size_ < 2) return;
    for (const std::string_view suffix : kSuffixes) {
      if (!near_end(suffix) || !ends(suffix)) continue;
      if (measure(size_ - suffix.size()) > 1) size_ -= suffix.size();
      return;
    }
    const bool ion =
        ends("ion") && size_ > 3 && (word_[size_ - 4] == 's' || word_[size_ - 4] == 't');
    if (ion && measure(size_ - 3) > 1) size_ -= 3;
  }

  void final_e() noexcept {
    if (ends("e")) {
      const size_t m = measure(size_ - 1);
      if (m > 1 || (m == 1 && !short_syllable(size_ - 1))) --size_;
    }
    if (ends("ll") && measure(size_ - 1) > 1) --size_;
  }

  char* const word_;
  size_t size_;
};

}  // namespace

size_t porter_stem(char* word, size_t length) noexcept {
  if (utf16_prefix({word, length}, 2).size() == length) return length;
  return Porter(word, length).run();
}

}  // namespace quarry
