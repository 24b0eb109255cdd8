// Krovetz's stemmer (R. Krovetz, "Viewing morphology as an inference process", 1993) as Lucene's
// KStemFilter has it: Elasticsearch's filter `kstem`, and its stemmers `light_english` and `kstem`.
//
// A word of the lexicon is its own stem, or has one there. The endings of any other word are
// replaced one after the other, first those of inflection (plural, past, -ing), then those of
// derivation (-ity, -ness, -ion …). An ending has replacements that are tried in turn: the first
// that makes a word of the lexicon ends the search. Without one the ending is replaced by what it
// usually stands for, or stays, and the next ending is looked at.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace quarry {

/// Not thread-safe: it reuses buffers.
class KStemmer {
 public:
  struct EndingRule {
    std::string_view ending;
    size_t letters = 0;      // of the shortest word that the rule is for
    std::string_view tries;  // replacements, separated by spaces
    std::string_view rest;   // the replacement when no try is a word; empty: the ending stays
  };

  /// Words of any bytes; one that is not of 3 to 49 letters a to z is its own stem. The result is
  /// valid until the next call.
  std::string_view stem(std::string_view word);

 private:
  bool inflections();
  bool derivations();
  /// These return true when they found a word of the lexicon; otherwise word_ goes on to the next
  /// rule.
  bool replace_ending(std::span<const EndingRule> rules);
  bool participle(std::string_view ending, size_t letters);
  bool is_word(std::string_view text);

  std::string word_;
  std::string tried_;
  std::string_view found_;  // the root of the word that was found
};

}  // namespace quarry
