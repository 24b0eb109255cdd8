// The words of a text for the built-in embedder and the analyzer `memory`: runs of folded letters
// and digits, without a final 's and without other apostrophes ("Caroline's" gives caroline,
// "don't" dont). Scripts without spaces (Han, Hiragana) give overlapping pairs of characters, and
// Han characters alone on request: many are words of their own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "text/analysis/letter_fold.h"

namespace quarry {

/// Longer runs are cut, which limits the work per word.
constexpr size_t kMaxLexicalWord = 64;  // code points

struct LexicalWord {
  std::string_view text;  // folded UTF-8, never empty; valid until the next call of next()
  size_t start = 0;       // bytes of the scanned text, half-open
  size_t end = 0;
};

enum class HanWords : uint8_t { kPairs, kPairsAndSingles };

/// Iterates over the words of a text. Malformed bytes end words.
class LexicalScanner {
 public:
  /// `text` must outlive the scanner.
  explicit LexicalScanner(std::string_view text, HanWords han = HanWords::kPairs)
      : text_(text), singles_(han == HanWords::kPairsAndSingles) {}
  LexicalScanner(const LexicalScanner&) = delete;
  LexicalScanner& operator=(const LexicalScanner&) = delete;

  /// False at the end of the text.
  bool next(LexicalWord& word);

 private:
  enum class Kind { kLetter, kIdeograph, kApostrophe, kBreak, kEnd };
  /// One folded code point and the bytes of the text that it comes from.
  struct Unit {
    Kind kind = Kind::kEnd;
    std::string_view text;
    size_t start = 0;
    size_t end = 0;
    bool han = false;
  };

  /// The current unit; skip() advances past it.
  Unit peek();
  void skip(const Unit& unit);
  void append(const Unit& unit);
  void append_ascii_run();
  bool finish_word(LexicalWord& word);
  bool pair(const Unit& unit, LexicalWord& word);
  bool single(LexicalWord& word);
  bool finish_pairs(LexicalWord& word);

  std::string_view text_;
  bool singles_;
  size_t at_ = 0;
  std::string_view folded_;  // the rest of the folding of the code point at at_
  size_t source_bytes_ = 0;  // bytes of that code point
  FoldBuffer buffer_{};

  std::string word_;
  size_t letters_ = 0;
  size_t word_start_ = 0;
  size_t word_end_ = 0;
  size_t suffix_ = 0;  // where in word_ the part after the last apostrophe starts; 0: no apostrophe
  bool after_apostrophe_ = false;

  std::string before_;  // the previous ideograph of a run
  size_t before_start_ = 0;
  size_t before_end_ = 0;
  bool paired_ = false;          // it was part of a word
  bool single_pending_ = false;  // it is a word of its own, too
};

}  // namespace quarry
