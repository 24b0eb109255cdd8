// The filters word_delimiter and word_delimiter_graph: tokens are split at delimiters, where the
// case changes and between letters and digits, and the parts may be joined again. The results are
// those of Lucene's filters of these names.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <utility>

#include "text/analysis/components.h"
#include "text/analysis/term_set.h"

namespace quarry {

/// The types of characters, as bits.
struct WordPartType {
  static constexpr uint8_t kLower = 1;
  static constexpr uint8_t kUpper = 2;
  static constexpr uint8_t kDigit = 4;
  static constexpr uint8_t kDelimiter = 8;
  static constexpr uint8_t kAlpha = kLower | kUpper;
  static constexpr uint8_t kAlphanum = kAlpha | kDigit;
};

/// The type of each character, with those that a `type_table` sets.
class WordPartTypes {
 public:
  /// The default: the superscripts and fractions of Latin-1 are delimiters.
  WordPartTypes();
  /// A table: all characters by their general category, except those that it sets.
  explicit WordPartTypes(std::map<uint32_t, uint8_t> set);
  uint8_t of(uint32_t code_point) const;

 private:
  std::array<uint8_t, 256> latin_{};
  std::map<uint32_t, uint8_t> set_;
};

struct WordDelimiterOptions {
  bool generate_word_parts = true;
  bool generate_number_parts = true;
  bool catenate_words = false;
  bool catenate_numbers = false;
  bool catenate_all = false;
  bool preserve_original = false;
  bool split_on_case_change = true;
  bool split_on_numerics = true;
  bool stem_english_possessive = true;
  bool ignore_keywords = false;
  bool adjust_offsets = true;  // of word_delimiter_graph
  bool protect_ignores_case = false;
  TermSet protected_words;
  WordPartTypes types;
};

/// `graph`: joined parts and originals get the position length of the parts that they cover.
TokenFilterPtr make_word_delimiter_filter(WordDelimiterOptions options, bool graph);

}  // namespace quarry
