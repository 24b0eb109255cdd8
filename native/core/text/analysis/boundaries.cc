// The sentence and word rules of java.text.BreakIterator, implemented as scanners.
#include "text/analysis/boundaries.h"

#include <algorithm>
#include <string_view>

#include "text/analysis/unicode.h"

namespace quarry {
namespace {

using Text = std::u32string_view;

constexpr char32_t kParagraphSeparator = 0x2029;

bool in(std::u32string_view set, char32_t c) { return set.find(c) != Text::npos; }
bool between(char32_t c, char32_t low, char32_t high) { return c >= low && c <= high; }

Category kind(char32_t c) { return category(static_cast<uint32_t>(c)); }
bool is_letter_character(char32_t c) { return kind(c) == Category::kLetter; }
bool is_mark(char32_t c) { return kind(c) == Category::kMark; }
bool is_number(char32_t c) { return kind(c) == Category::kDigit || kind(c) == Category::kNumber; }
bool is_lower(char32_t c) {
  constexpr std::u32string_view kWithoutCapital = U"\u00df\u0138\u0149\u01f0\u0390\u03b0";
  const auto value = static_cast<uint32_t>(c);
  if (!is_letter_character(c) || to_lower(value) != value) return false;
  return to_upper(value) != value || in(kWithoutCapital, c);
}
/// Characters without a visible form (general category Cf).
bool is_format(char32_t c) {
  return c == 0xad || between(c, 0x600, 0x605) || c == 0x61c || c == 0x6dd || c == 0x70f ||
         between(c, 0x200b, 0x200f) || between(c, 0x202a, 0x202e) || between(c, 0x2060, 0x2064) ||
         between(c, 0x2066, 0x206f) || c == 0xfeff || between(c, 0xfff9, 0xfffb);
}
/// Space separators (Zs).
bool is_blank(char32_t c) {
  return c == ' ' || c == 0xa0 || c == 0x1680 || between(c, 0x2000, 0x200a) || c == 0x202f ||
         c == 0x205f || c == 0x3000;
}
bool is_danda(char32_t c) { return c == 0x964 || c == 0x965; }

constexpr std::u32string_view kOpening =
    U"\"'([{\u00ab\u2018\u201a\u201b\u201c\u201e\u201f\u2039\u2045\u207d\u208d\u2329\u27e6\u27e8"
    U"\u3008\u300a\u300c\u300e\u3010\u3014\u3016\u3018\u301a\u301d\uff08\uff3b\uff5b\uff5f\uff62";
constexpr std::u32string_view kClosing =
    U"\"')]}\u00bb\u2019\u201d\u203a\u2046\u207e\u208e\u232a\u27e7\u27e9"
    U"\u3009\u300b\u300d\u300f\u3011\u3015\u3017\u3019\u301b\u301e\u301f\uff09\uff3d\uff5d\uff60"
    U"\uff63";

// Sentences.

bool is_ignored(char32_t c) { return is_mark(c) || is_format(c); }
bool is_sentence_space(char32_t c) { return is_blank(c) || in(U"\t\r\f\n\u2028", c); }
bool is_terminator(char32_t c) { return in(U"!?\u3002\uff01\uff1f", c); }
bool is_full_stop(char32_t c) { return c == '.' || c == 0xff0e; }

/// Whether the character may precede the first letter of a sentence.
bool can_start(char32_t c) {
  if (in(kOpening, c)) return true;
  return !is_letter_character(c) && !is_number(c) && !is_sentence_space(c) && !in(kClosing, c) &&
         !is_terminator(c) && !is_full_stop(c) && c != ',' && c != kParagraphSeparator;
}

template <typename Takes>
size_t skip(Text text, size_t at, Takes takes) {
  while (at < text.size() && (takes(text[at]) || is_ignored(text[at]))) at++;
  return at;
}

size_t skip_spaces(Text text, size_t at) { return skip(text, at, is_sentence_space); }

/// Two or more spaces or line ends, as in an empty line or after the sentences of typewritten text.
bool is_wide_gap(Text gap) { return std::count_if(gap.begin(), gap.end(), is_sentence_space) > 1; }

/// The start of the next sentence after a full stop and its closing characters, which end at
/// `closed`; 0 when no sentence starts there. A lower-case letter starts a sentence only after a
/// wide gap.
size_t start_after_stop(Text text, size_t closed) {
  const size_t start = skip_spaces(text, closed);
  if (start == text.size()) return start;
  const bool starts = start > closed && is_letter_character(text[start]);
  if (starts && (!is_lower(text[start]) || is_wide_gap(text.substr(closed, start - closed))))
    return start;
  const size_t letter = skip(text, start, can_start);
  return letter > start && letter < text.size() && is_letter_character(text[letter]) ? start : 0;
}

size_t end_of_sentence(Text text, size_t at) {
  while (at < text.size()) {
    const char32_t c = text[at++];
    if (c == kParagraphSeparator) return at;
    if (is_danda(c)) return skip_spaces(text, at);
    if (is_terminator(c)) {
      at = skip(text, at, [](char32_t next) {
        return is_terminator(next) || is_full_stop(next) || in(kClosing, next);
      });
      at = skip_spaces(text, at);
      return at < text.size() && text[at] == kParagraphSeparator ? at + 1 : at;
    }
    if (!is_full_stop(c)) continue;
    at = skip(text, at, [](char32_t next) { return is_full_stop(next) || in(kClosing, next); });
    if (const size_t start = start_after_stop(text, at); start != 0) return start;
  }
  return at;
}

// Words.

bool is_kanji(char32_t c) {
  return c == 0x3005 || between(c, 0x4e00, 0x9fa5) || between(c, 0xf900, 0xfa2d);
}
bool is_katakana(char32_t c) { return between(c, 0x30a1, 0x30fa) || c == 0x30fd || c == 0x30fe; }
bool is_hiragana(char32_t c) { return between(c, 0x3041, 0x3094) || c == 0x309d || c == 0x309e; }
bool is_kana_mark(char32_t c) { return between(c, 0x3099, 0x309c) || c == 0x30fb || c == 0x30fc; }
bool is_word_letter(char32_t c) {
  return is_letter_character(c) && !is_kanji(c) && !is_katakana(c) && !is_hiragana(c) &&
         !is_kana_mark(c);
}
bool is_inside_word(char32_t c) {
  return in(U"\"'.-_\u00ad\u2027\u058a\u203f\u2040\u2054\u3030\ufe58\ufe63\uff0d\uff3f", c) ||
         between(c, 0x2010, 0x2015);
}
bool is_inside_number(char32_t c) { return in(U"\"',.\u066b", c); }
bool is_before_number(char32_t c) {
  return in(U"#.$\u00a3\u00a4\u00a5\u0e3f\uff04\uffe1\uffe5", c) || between(c, 0x20a0, 0x20cf);
}
bool is_behind_number(char32_t c) { return in(U"%&\u00a2\u066a\u2030\u2031", c); }
bool is_line_end(char32_t c) { return in(U"\n\f\u2028\u2029", c); }

/// The end of the run from `at` of characters of one kind, including the marks on them.
template <typename Takes>
size_t run_of(Text text, size_t at, Takes takes) {
  if (at >= text.size() || !takes(text[at])) return at;
  while (at < text.size() && (takes(text[at]) || is_mark(text[at]) || is_format(text[at]))) at++;
  return at;
}

/// The end of a sequence of runs of one kind that are joined by single characters.
template <typename Takes, typename Joins>
size_t joined_runs(Text text, size_t at, Takes takes, Joins joins) {
  size_t end = run_of(text, at, takes);
  while (end > at && end < text.size() && joins(text[end])) {
    const size_t next = run_of(text, end + 1, takes);
    if (next == end + 1) break;
    end = next;
  }
  return end;
}

size_t end_of_letters(Text text, size_t at) {
  const size_t end = joined_runs(text, at, is_word_letter, is_inside_word);
  return end > at && end < text.size() && is_danda(text[end]) ? end + 1 : end;
}

/// The end of alternating numbers and words, including a sign that belongs to a number.
size_t end_of_numbers(Text text, size_t at) {
  while (true) {
    const size_t number = joined_runs(text, at, is_number, is_inside_number);
    if (number == at) return at;
    const size_t letters = end_of_letters(text, number);
    if (letters == number) {
      return number < text.size() && is_behind_number(text[number]) ? number + 1 : number;
    }
    at = letters;
  }
}

size_t end_of_space(Text text, size_t at) {
  at = run_of(text, at, [](char32_t c) { return is_blank(c) || c == '\t'; });
  if (at < text.size() && text[at] == '\r') at++;
  if (at < text.size() && is_line_end(text[at])) at++;
  return at;
}

bool is_katakana_or_mark(char32_t c) { return is_katakana(c) || is_kana_mark(c); }
bool is_hiragana_or_mark(char32_t c) { return is_hiragana(c) || is_kana_mark(c); }

template <typename Takes>
size_t bare_run(Text text, size_t at, Takes takes) {
  while (at < text.size() && takes(text[at])) at++;
  return at;
}

size_t end_of_word(Text text, size_t at) {
  const char32_t c = text[at];
  size_t end = end_of_numbers(text, end_of_letters(text, at));
  if (is_before_number(c)) end = std::max(end, end_of_numbers(text, at + 1));
  end = std::max({end, at + 1, end_of_space(text, at)});
  end = std::max({end, bare_run(text, at, is_katakana_or_mark),
                  bare_run(text, at, is_hiragana_or_mark), bare_run(text, at, is_kanji)});
  const bool takes_marks = end == at + 1 && !is_line_end(c) && c >= ' ';
  while (takes_marks && end < text.size() && is_mark(text[end])) end++;
  while (end < text.size() && is_format(text[end])) end++;
  return end;
}

template <typename End>
Boundaries all_boundaries(Text text, End end) {
  Boundaries out{0};
  for (size_t at = 0; at < text.size();) {
    at = end(text, at);
    out.push_back(static_cast<uint32_t>(at));
  }
  return out;
}

}  // namespace

Boundaries sentence_boundaries(Text text) { return all_boundaries(text, end_of_sentence); }
Boundaries word_boundaries(Text text) { return all_boundaries(text, end_of_word); }

uint32_t boundary_before(const Boundaries& boundaries, uint32_t place) {
  const auto at = std::lower_bound(boundaries.begin(), boundaries.end(), place);
  return at == boundaries.begin() ? 0 : *(at - 1);
}

uint32_t boundary_after(const Boundaries& boundaries, uint32_t place) {
  const auto at = std::upper_bound(boundaries.begin(), boundaries.end(), place);
  return at == boundaries.end() ? boundaries.back() : *at;
}

}  // namespace quarry
