// Scans the text in one pass. Words of ASCII letters and digits take a fast path.
#include "text/embedder/lexical_words.h"

#include <array>

#include "text/analysis/unicode.h"
#include "text/analysis/utf8.h"

namespace quarry {
namespace {

/// The folded byte for ASCII letters and digits, 0 for all other bytes.
constexpr std::array<char, 128> ascii_letters() {
  std::array<char, 128> out{};
  for (char c = '0'; c <= '9'; ++c) out[static_cast<size_t>(c)] = c;
  for (char c = 'a'; c <= 'z'; ++c) {
    out[static_cast<size_t>(c)] = c;
    out[static_cast<size_t>(c - 'a' + 'A')] = c;
  }
  return out;
}
constexpr auto kAsciiLetters = ascii_letters();

char lower_ascii_letter(char c) noexcept {
  const auto byte = static_cast<unsigned char>(c);
  return byte < kAsciiLetters.size() ? kAsciiLetters[byte] : '\0';
}

WordClass class_of(std::string_view folded) noexcept {
  return word_property(decode_utf8(folded, 0).value).word_class();
}

}  // namespace

LexicalScanner::Unit LexicalScanner::peek() {
  while (folded_.empty()) {
    if (at_ >= text_.size()) return {};
    const auto byte = static_cast<unsigned char>(text_[at_]);
    if (byte < 0x80) {
      const Kind kind = kAsciiLetters[byte] != 0 ? Kind::kLetter
                        : byte == '\''           ? Kind::kApostrophe
                                                 : Kind::kBreak;
      const char* folded = kind == Kind::kLetter ? &kAsciiLetters[byte] : &text_[at_];
      return {kind, {folded, 1}, at_, at_ + 1, false};
    }
    const CodePoint cp = decode_multibyte(text_, at_);
    folded_ = fold_letter(cp.value, buffer_);
    source_bytes_ = cp.bytes;
    if (folded_.empty()) at_ += cp.bytes;
  }
  const std::string_view one = folded_.substr(0, decode_utf8(folded_, 0).bytes);
  const WordClass letter = class_of(one);
  const bool han = letter == WordClass::kHan;
  const Kind kind = one == " "                              ? Kind::kBreak
                    : one == "'"                            ? Kind::kApostrophe
                    : han || letter == WordClass::kHiragana ? Kind::kIdeograph
                                                            : Kind::kLetter;
  return {kind, one, at_, at_ + source_bytes_, han};
}

void LexicalScanner::skip(const Unit& unit) {
  if (folded_.empty()) {
    ++at_;
    return;
  }
  folded_.remove_prefix(unit.text.size());
  if (folded_.empty()) at_ += source_bytes_;
}

/// Appends ASCII letters from at_ on, up to the maximum length of the word.
void LexicalScanner::append_ascii_run() {
  for (; letters_ < kMaxLexicalWord && at_ < text_.size(); ++at_, ++letters_) {
    const char letter = lower_ascii_letter(text_[at_]);
    if (letter == '\0') break;
    word_.push_back(letter);
  }
  word_end_ = at_;
}

bool LexicalScanner::finish_word(LexicalWord& word) {
  if (suffix_ > 0 && word_.size() == suffix_ + 1 && word_.back() == 's') word_.pop_back();
  word = {word_, word_start_, word_end_};
  return true;
}

/// Handles an ideograph: it forms a word with the preceding ideograph, or starts a run.
bool LexicalScanner::pair(const Unit& unit, LexicalWord& word) {
  const bool first = before_.empty();
  word_.assign(before_).append(unit.text);
  word = {word_, before_start_, unit.end};
  before_.assign(unit.text);
  before_start_ = unit.start;
  before_end_ = unit.end;
  paired_ = !first;
  single_pending_ = singles_ && unit.han;
  skip(unit);
  return !first;
}

/// The ideograph that pair() handled last, if it is a word of its own.
bool LexicalScanner::single(LexicalWord& word) {
  if (!single_pending_) return false;
  single_pending_ = false;
  paired_ = true;
  word_.assign(before_);
  word = {word_, before_start_, before_end_};
  return true;
}

/// Ends a run of ideographs; a single ideograph is a word.
bool LexicalScanner::finish_pairs(LexicalWord& word) {
  const bool alone = !before_.empty() && !paired_;
  if (alone) {
    word_.assign(before_);
    word = {word_, before_start_, before_end_};
  }
  before_.clear();
  return alone;
}

/// Appends one letter to the word, or a run of ASCII letters.
void LexicalScanner::append(const Unit& unit) {
  if (letters_ == 0) {
    word_.clear();
    word_start_ = unit.start;
  }
  // An apostrophe at the end of a quotation joins nothing and is not part of the word.
  if (after_apostrophe_) suffix_ = word_.size();
  after_apostrophe_ = false;
  if (folded_.empty()) {
    append_ascii_run();
    return;
  }
  word_.append(unit.text);
  ++letters_;
  word_end_ = unit.end;
  skip(unit);
}

bool LexicalScanner::next(LexicalWord& word) {
  letters_ = 0;
  suffix_ = 0;
  after_apostrophe_ = false;
  for (;;) {
    if (single(word)) return true;
    const Unit unit = peek();
    const bool goes_on = unit.kind == Kind::kLetter && letters_ < kMaxLexicalWord;
    const bool bridges = unit.kind == Kind::kApostrophe && !after_apostrophe_;
    if (letters_ > 0 && !goes_on && !bridges) return finish_word(word);
    if (unit.kind == Kind::kIdeograph) {
      if (pair(unit, word)) return true;
      continue;
    }
    if (finish_pairs(word)) return true;
    if (unit.kind == Kind::kEnd) return false;
    if (goes_on) {
      append(unit);
      continue;
    }
    if (letters_ > 0) after_apostrophe_ = true;
    skip(unit);
  }
}

}  // namespace quarry
