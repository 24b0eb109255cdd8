// The terms of a dictionary that are at most one edit away from a text, found by asking for each text that is. A filter
// in memory answers nearly all of these questions, where the walk over the dictionary (automaton.h) jumps once or twice
// for each symbol at each place.
#pragma once

#include <bit>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "postings/term_dictionary.h"
#include "query/cache/filter_cache.h"

namespace quarry {

/// A Bloom filter (Bloom 1970) whose bits of one text lie in one word, and the ASCII symbols of the terms. Made of plain
/// words, to be kept in the filters' cache.
class TermBloom {
 public:
  /// The words for a dictionary: 12 bits a term, one text in about fifty is taken for a term.
  /// Some are missing once `stop` has expired.
  static SegmentTotals make(const TermDictionary& terms, StopCheck& stop);
  explicit TermBloom(SegmentTotalsPtr words) : words_(std::move(words)) {}

  /// Bit s of word s / 64: some term has the symbol s.
  uint64_t symbols(size_t word) const { return (*words_)[word]; }
  /// `hash`: hash64() of a text.
  bool may_have(uint64_t hash) const noexcept {
    const uint64_t bits = bits_of(hash);
    return ((*words_)[place_of(hash, words_->size())] & bits) == bits;
  }
  /// A text that needs one symbol beyond ASCII to be a term; one in 2,500 is taken for one, as each means a walk.
  bool may_have_around(uint64_t hash) const noexcept {
    return may_have(~hash) && may_have(second_hash(hash));
  }

 private:
  static constexpr size_t kSymbolWords = 2;
  static uint64_t bits_of(uint64_t hash) noexcept {
    return uint64_t{1} << (hash & 63) | uint64_t{1} << (hash >> 6 & 63) |
           uint64_t{1} << (hash >> 12 & 63) | uint64_t{1} << (hash >> 18 & 63);
  }
  static uint64_t second_hash(uint64_t hash) noexcept { return std::rotl(~hash, 27); }
  static size_t place_of(uint64_t hash, size_t words) noexcept {
    return kSymbolWords + static_cast<size_t>((hash >> 32) * (words - kSymbolWords) >> 32);
  }

  SegmentTotalsPtr words_;
};

/// Of one search; the texts and their hashes are made once for all dictionaries.
class OneEdit {
 public:
  /// The arguments of make_fuzzy_automaton().
  OneEdit(std::string_view text, uint32_t prefix_length, bool transpositions);

  /// Ordinals, ascending. Nothing: the dictionary has to be walked, because the text is long or not ASCII, symbols
  /// beyond ASCII may make a term of it, or there are too many symbols.
  std::optional<std::vector<uint32_t>> find(const TermDictionary& terms, const TermBloom& filter);
  /// The same with the filter that `cache` has for `field` of `segment`. It is made once the walks have cost as much.
  std::optional<std::vector<uint32_t>> find(FilterCache& cache,
                                            const std::shared_ptr<const Segment>& segment,
                                            std::string_view field, const TermDictionary& terms,
                                            StopCheck& stop);

 private:
  struct Plain {
    std::string text;
    uint64_t hash = 0;
  };
  /// The text with `symbol` at `at`, in the place of `replaced` symbols.
  struct Variant {
    uint64_t hash = 0;
    uint16_t at = 0;
    uint8_t replaced = 0;
    char symbol = 0;
  };

  bool usable() const;
  void add_plain(std::string text);
  void make_variants(uint64_t low_symbols, uint64_t high_symbols);
  std::string spell(const Variant& variant) const;

  std::string text_;
  size_t fixed_;  // symbols at the start that stay
  bool transpositions_;
  uint64_t symbols_[2] = {};          // that variants_ were made for
  std::vector<Plain> plain_;          // the text, and what takes no new symbol
  std::vector<uint64_t> gaps_;        // of what a symbol beyond ASCII could be put into
  std::vector<Variant> variants_;
};

}  // namespace quarry
