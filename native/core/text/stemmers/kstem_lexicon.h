// The words that Krovetz's stemmer knows, 28,000 of them, with the roots of those whose root does
// not follow from their letters. The first use decodes them into 600 KB, which the process keeps.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace quarry {

/// Immutable and thread-safe.
class KStemLexicon {
 public:
  struct Entry {
    std::string_view root;      // the word itself, but for conflations ("aging": "age")
    bool is_exception = false;  // no verb that lost its final e: "bathing" comes from "bath"
  };

  static const KStemLexicon& shared();

  /// `word` is any text. The root is valid as long as the process.
  std::optional<Entry> find(std::string_view word) const;

 private:
  struct Word {
    uint32_t at = 0;  // offset into letters_, where the root of a conflation follows the word
    uint8_t letters = 0;
    uint8_t root_letters = 0;  // 0: the word is its own root
    bool is_exception = false;
  };

  KStemLexicon();
  std::string_view text_of(const Word& word) const;
  /// The slot of the word, or the free slot where it belongs.
  size_t slot_of(std::string_view word) const;

  std::string letters_;
  std::vector<Word> words_;
  std::vector<uint16_t> slots_;  // open addressing: index into words_ plus one, 0: free
};

}  // namespace quarry
