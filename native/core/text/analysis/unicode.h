// Properties of code points: word-break class, general category, case mappings, ASCII folding.
// The data is unicode_tables.inc, written by native/tools/unicode_tables.mjs.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace quarry {

/// Word_Break of UAX #29 with the script classes that Lucene's StandardTokenizer adds.
enum class WordClass : uint8_t {
  kOther = 0,
  kLetter = 1,
  kHebrew = 2,
  kNumeric = 3,
  kKatakana = 4,
  kHangul = 5,
  kExtendNumLet = 6,
  kExtend = 7,  // Extend and Format: belongs to the character before it
  kZwj = 8,
  kMidLetter = 9,
  kMidNum = 10,
  kMidNumLet = 11,
  kSingleQuote = 12,
  kDoubleQuote = 13,
  kRegional = 14,
  kHan = 15,
  kHiragana = 16,
  kSoutheastAsian = 17,
  kSoutheastMark =
      18,  // a combining mark of those scripts: Extend after a letter, a start otherwise
};

/// WordClass and emoji properties of one code point.
struct WordProperty {
  uint8_t bits = 0;
  WordClass word_class() const noexcept { return static_cast<WordClass>(bits & 0x1FU); }
  bool emoji() const noexcept { return (bits & 0x20U) != 0; }
  /// A skin tone, which is kExtend.
  bool modifier() const noexcept { return (bits & 0x40U) != 0; }
};

WordProperty word_property(uint32_t code_point) noexcept;

enum class Category : uint8_t {
  kOther = 0,
  kLetter = 1,
  kDigit = 2,
  kMark = 3,
  kNumber = 4,
  kPunctuation = 5,
  kSymbol = 6,
  kSpace = 7,  // Java's Character.isWhitespace: no no-break spaces
};

Category category(uint32_t code_point) noexcept;

/// Simple (one to one) case mappings; U+0130 lower-cases to i as in Lucene.
uint32_t to_lower(uint32_t code_point) noexcept;
uint32_t to_upper(uint32_t code_point) noexcept;
/// One representative per set of letters that differ in case only (simple folding by upper then
/// lower).
uint32_t fold_case(uint32_t code_point) noexcept;

/// Up to four ASCII characters, or empty when the code point has no folding.
std::string_view ascii_fold(uint32_t code_point) noexcept;

/// Whole strings, code point by code point. Malformed bytes become U+FFFD.
std::string to_lower(std::string_view text);
std::string to_upper(std::string_view text);

}  // namespace quarry
