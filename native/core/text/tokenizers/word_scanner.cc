// scan_word: the word rules of UAX #29 (Unicode 9) on code points, with the token types and emoji
// sequences of Lucene's StandardTokenizer. The longest match is used; an emoji has precedence over
// a word of the same length.
#include "text/analysis/unicode.h"
#include "text/analysis/utf8.h"
#include "text/tokenizers/standard_tokenizer.h"

namespace quarry {
namespace {

constexpr uint32_t kTextSelector = 0xFE0E;
constexpr uint32_t kEmojiSelector = 0xFE0F;
constexpr uint32_t kKeycap = 0x20E3;

struct Char {
  uint32_t value = 0;
  uint32_t bytes = 0;  // 0 at the end of text
  WordProperty property;
};

/// A position in the text that also counts UTF-16 units, which limit token lengths.
class Cursor {
 public:
  Cursor(std::string_view text, size_t at, uint32_t max_units) noexcept
      : text_(text), at_(at), left_(max_units) {}

  /// The next character; bytes == 0 at the end of the text or when the unit limit is reached.
  Char peek() const noexcept {
    if (at_ >= text_.size()) return {};
    const CodePoint cp = decode_utf8(text_, at_);
    if (units(cp.value) > left_) return {};
    return {cp.value, cp.bytes, word_property(cp.value)};
  }
  void advance(const Char& c) noexcept {
    at_ += c.bytes;
    left_ -= units(c.value);
  }
  size_t at() const noexcept { return at_; }

 private:
  static uint32_t units(uint32_t cp) noexcept { return cp > 0xFFFF ? 2 : 1; }

  std::string_view text_;
  size_t at_;
  uint32_t left_;
};

bool extends(WordClass c) noexcept {
  return c == WordClass::kExtend || c == WordClass::kZwj || c == WordClass::kSoutheastMark;
}
bool is_extend(const Char& c) noexcept { return c.bytes != 0 && extends(c.property.word_class()); }

/// WB4: marks and format characters belong to the character before them.
void skip_extends(Cursor& cursor) noexcept {
  for (Char c = cursor.peek(); is_extend(c); c = cursor.peek()) cursor.advance(c);
}

bool is_letter_class(WordClass c) noexcept {
  return c == WordClass::kLetter || c == WordClass::kHebrew || c == WordClass::kHangul;
}
bool is_word_class(WordClass c) noexcept {
  return is_letter_class(c) || c == WordClass::kNumeric || c == WordClass::kKatakana ||
         c == WordClass::kExtendNumLet;
}

/// WB5, WB8-10, WB13-13b: no break between these two classes.
bool joins(WordClass before, WordClass after) noexcept {
  if (before == WordClass::kExtendNumLet || after == WordClass::kExtendNumLet) {
    return is_word_class(before) && is_word_class(after);
  }
  if (before == WordClass::kKatakana || after == WordClass::kKatakana) return before == after;
  return is_word_class(before) && is_word_class(after);
}

/// WB6, WB7b, WB12: `mid` may occur between `before` and a character of the same kind.
bool may_bridge(WordClass before, WordClass mid) noexcept {
  const bool both = mid == WordClass::kMidNumLet || mid == WordClass::kSingleQuote;
  if (mid == WordClass::kDoubleQuote) return before == WordClass::kHebrew;
  if (is_letter_class(before)) return both || mid == WordClass::kMidLetter;
  if (before == WordClass::kNumeric) return both || mid == WordClass::kMidNum;
  return false;
}
bool bridges_to(WordClass before, WordClass mid, WordClass after) noexcept {
  if (mid == WordClass::kDoubleQuote) return after == WordClass::kHebrew;
  return is_letter_class(before) ? is_letter_class(after) : after == WordClass::kNumeric;
}

/// The kinds of characters in a word, which determine its type.
struct WordContents {
  bool letters = false;
  bool hangul = false;
  bool numeric = false;
  bool katakana = false;
  bool joiners = false;

  void add(WordClass c) noexcept {
    letters |= c == WordClass::kLetter || c == WordClass::kHebrew;
    hangul |= c == WordClass::kHangul;
    numeric |= c == WordClass::kNumeric;
    katakana |= c == WordClass::kKatakana;
    joiners |= !is_letter_class(c) && c != WordClass::kNumeric && c != WordClass::kKatakana;
  }
  bool any() const noexcept { return letters || hangul || numeric || katakana; }
  const char* type() const noexcept {
    if (numeric && !letters && !hangul && !katakana) return kTypeNum;
    if (hangul && !letters && !numeric && !katakana && !joiners) return "<HANGUL>";
    if (katakana && !letters && !hangul && !numeric && !joiners) return "<KATAKANA>";
    return kTypeAlphanum;
  }
};

/// Scans letters, digits, Katakana and connectors, including the characters allowed between them.
WordSpan scan_run(Cursor cursor, size_t start) noexcept {
  WordSpan span{start, kTypeAlphanum};
  WordContents contents;
  const auto accept = [&](WordClass c) {
    contents.add(c);
    skip_extends(cursor);
    if (contents.any()) span.end = cursor.at();
  };
  Char c = cursor.peek();
  WordClass before = c.property.word_class();
  cursor.advance(c);
  accept(before);
  for (c = cursor.peek(); c.bytes != 0; c = cursor.peek()) {
    const WordClass next = c.property.word_class();
    if (joins(before, next)) {
      cursor.advance(c);
      accept(next);
      before = next;
      continue;
    }
    if (!may_bridge(before, next)) break;
    cursor.advance(c);
    skip_extends(cursor);
    const Char after = cursor.peek();
    const WordClass after_class = after.property.word_class();
    if (after.bytes != 0 && bridges_to(before, next, after_class)) {
      contents.add(next);
      cursor.advance(after);
      accept(after_class);
      before = after_class;
    } else if (before == WordClass::kHebrew && next == WordClass::kSingleQuote) {
      accept(next);  // WB7a: the quote belongs to the Hebrew letter; more may follow
      before = WordClass::kLetter;
    } else {
      break;
    }
  }
  span.type = contents.type();
  return span;
}

/// Skips marks after an emoji, except the presentation selectors. Returns whether the last one was
/// a joiner.
bool skip_emoji_extends(Cursor& cursor) noexcept {
  bool joiner = false;
  for (Char c = cursor.peek(); is_extend(c); c = cursor.peek()) {
    if (c.value == kTextSelector || c.value == kEmojiSelector) break;
    joiner = c.property.word_class() == WordClass::kZwj;
    cursor.advance(c);
  }
  return joiner;
}

/// emoji_sequence of UTS #51: elements (character, marks and skin tones, selector) joined by zero
/// width joiners.
size_t scan_emoji(Cursor cursor, size_t start) noexcept {
  size_t end = start;
  for (;;) {
    for (Char c = cursor.peek(); c.bytes != 0 && c.property.word_class() == WordClass::kZwj;
         c = cursor.peek()) {
      cursor.advance(c);
    }
    const Char base = cursor.peek();
    const bool joins_on = base.property.modifier() && end > start;
    if (base.bytes == 0 || (!base.property.emoji() && !joins_on)) return end;
    cursor.advance(base);
    bool joiner = skip_emoji_extends(cursor);
    end = cursor.at();
    const Char next = cursor.peek();
    if (next.bytes != 0 && next.value == kEmojiSelector) {
      cursor.advance(next);
      end = cursor.at();
      const Char after = cursor.peek();
      joiner = after.bytes != 0 && after.property.word_class() == WordClass::kZwj;
    }
    if (!joiner) return end;
  }
}

/// A skin tone that follows no character has no selector.
size_t scan_single_modifier(Cursor cursor) noexcept {
  cursor.advance(cursor.peek());
  const bool joiner = skip_emoji_extends(cursor);
  return joiner ? scan_emoji(cursor, cursor.at()) : cursor.at();
}

/// A digit, # or * with an enclosing keycap.
size_t scan_keycap(Cursor cursor, size_t start) noexcept {
  cursor.advance(cursor.peek());
  Char c = cursor.peek();
  while (is_extend(c) && c.value != kTextSelector && c.value != kEmojiSelector &&
         c.value != kKeycap) {
    cursor.advance(c);
    c = cursor.peek();
  }
  if (c.bytes != 0 && c.value == kEmojiSelector) {
    cursor.advance(c);
    c = cursor.peek();
  }
  if (c.bytes == 0 || c.value != kKeycap) return start;
  cursor.advance(c);
  skip_emoji_extends(cursor);
  return cursor.at();
}

/// Two regional indicators make a flag.
size_t scan_flag(Cursor cursor, size_t start) noexcept {
  cursor.advance(cursor.peek());
  skip_extends(cursor);
  const Char second = cursor.peek();
  if (second.bytes == 0 || second.property.word_class() != WordClass::kRegional) return start;
  cursor.advance(second);
  skip_extends(cursor);
  return cursor.at();
}

WordSpan scan_southeast(Cursor cursor) noexcept {
  const auto belongs = [](WordClass c) { return c == WordClass::kSoutheastAsian || extends(c); };
  for (Char c = cursor.peek(); c.bytes != 0 && belongs(c.property.word_class());
       c = cursor.peek()) {
    cursor.advance(c);
  }
  return {cursor.at(), "<SOUTHEAST_ASIAN>"};
}

WordSpan scan_single(Cursor cursor, const char* type) noexcept {
  cursor.advance(cursor.peek());
  skip_extends(cursor);
  return {cursor.at(), type};
}

WordSpan scan_text(const Cursor& cursor, const Char& first, size_t start) noexcept {
  switch (first.property.word_class()) {
    case WordClass::kSoutheastAsian:
    case WordClass::kSoutheastMark:
      return scan_southeast(cursor);
    case WordClass::kHan:
      return scan_single(cursor, "<IDEOGRAPHIC>");
    case WordClass::kHiragana:
      return scan_single(cursor, "<HIRAGANA>");
    default:
      return is_word_class(first.property.word_class()) ? scan_run(cursor, start)
                                                        : WordSpan{start, kTypeAlphanum};
  }
}

size_t scan_pictures(const Cursor& cursor, const Char& first, size_t start) noexcept {
  if (first.property.word_class() == WordClass::kRegional) return scan_flag(cursor, start);
  if (first.value == '#' || first.value == '*' || (first.value >= '0' && first.value <= '9')) {
    return scan_keycap(cursor, start);
  }
  if (first.property.modifier()) return scan_single_modifier(cursor);
  const bool starts = first.property.emoji() || first.property.word_class() == WordClass::kZwj;
  return starts ? scan_emoji(cursor, start) : start;
}

constexpr auto is_joiner = [](WordProperty property) noexcept {
  return property.word_class() == WordClass::kZwj;
};
/// A connector, or a mark that does not start a word.
constexpr auto connects = [](WordProperty property) noexcept {
  const WordClass c = property.word_class();
  return c == WordClass::kExtendNumLet || (c == WordClass::kExtend && !property.modifier());
};

/// The end of the run from `at` of characters for which `belongs` is true.
template <typename Belongs>
size_t end_of_run(std::string_view text, size_t at, Belongs belongs) noexcept {
  while (at < text.size()) {
    const CodePoint cp = decode_utf8(text, at);
    if (!belongs(word_property(cp.value))) break;
    at += cp.bytes;
  }
  return at;
}

/// The offset `chars` characters before `end`, but not before `first`.
size_t back_from(std::string_view text, size_t end, uint32_t chars, size_t first) noexcept {
  size_t at = end;
  for (; chars > 0 && at > first; chars--) {
    do {
      at--;
    } while (at > first && (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80);
  }
  return at;
}

}  // namespace

size_t next_start(std::string_view text, size_t start, uint32_t max_units) noexcept {
  const CodePoint cp = decode_utf8(text, start);
  const size_t behind = start + cp.bytes;
  const WordClass first = word_property(cp.value).word_class();
  const bool joiner = first == WordClass::kZwj;
  if (!joiner && first != WordClass::kExtendNumLet) return behind;
  // Joiners form a run of their own. Connectors include marks, but no joiner, which may start an
  // emoji.
  const size_t end =
      joiner ? end_of_run(text, behind, is_joiner) : end_of_run(text, behind, connects);
  if (end >= text.size()) return end;
  const WordProperty next = word_property(decode_utf8(text, end).value);
  const bool word = joiner ? next.emoji()
                           : is_word_class(next.word_class()) ||
                                 next.word_class() == WordClass::kZwj || next.modifier();
  return word ? back_from(text, end, max_units - 1, behind) : end;
}

WordSpan scan_word(std::string_view text, size_t start, uint32_t max_units) noexcept {
  const Cursor cursor(text, start, max_units);
  const Char first = cursor.peek();
  if (first.bytes == 0) return {start, kTypeAlphanum};
  const WordSpan word = scan_text(cursor, first, start);
  const size_t picture = scan_pictures(cursor, first, start);
  return picture > start && picture >= word.end ? WordSpan{picture, "<EMOJI>"} : word;
}

}  // namespace quarry
