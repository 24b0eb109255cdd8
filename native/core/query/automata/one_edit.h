// Finds the terms of a dictionary that are at most one edit away from a string by looking up every
// such string. A Bloom filter in memory rejects nearly all of them, while the walk over the
// dictionary (automaton.h) jumps once or twice for each symbol at each place.
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

/// A Bloom filter (Bloom 1970) whose bits for one string are in one word, together with the set of
/// ASCII symbols of the terms. Consists of plain words, so that the filter cache can hold it.
class TermBloom {
 public:
  /// The words for a dictionary: 12 bits a term, one text in about fifty is taken for a term.
  /// Some are missing once `stop` has expired.
  static SegmentTotals make(const TermDictionary& terms, StopCheck& stop);
  explicit TermBloom(SegmentTotalsPtr words) : words_(std::move(words)) {}

  /// Bit s of word s / 64 is set if some term contains the symbol s.
  uint64_t symbols(size_t word) const { return (*words_)[word]; }
  /// `hash`: hash64() of a string.
  bool may_have(uint64_t hash) const noexcept {
    const uint64_t bits = bits_of(hash);
    return ((*words_)[place_of(hash, words_->size())] & bits) == bits;
  }
  /// Whether one symbol beyond ASCII may complete the string to a term. One string in 2,500 is a
  /// false positive, as each of them causes a walk.
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

/// Used by one search; the strings and their hashes are created once for all dictionaries.
class OneEdit {
 public:
  /// Takes the arguments of make_fuzzy_automaton().
  OneEdit(std::string_view text, uint32_t prefix_length, bool transpositions);

  /// Ordinals, ascending. Nothing if the dictionary has to be walked, because the string is long or
  /// not ASCII, because symbols beyond ASCII may complete it to a term, or because there are too
  /// many symbols.
  std::optional<std::vector<uint32_t>> find(const TermDictionary& terms, const TermBloom& filter);
  /// The same with the cached filter for `field` of `segment`, which is built once the walks have
  /// cost as much as building it.
  std::optional<std::vector<uint32_t>> find(FilterCache& cache,
                                            const std::shared_ptr<const Segment>& segment,
                                            std::string_view field, const TermDictionary& terms,
                                            StopCheck& stop);

 private:
  struct Plain {
    std::string text;
    uint64_t hash = 0;
  };
  /// The string with `symbol` at `at`, in place of `replaced` symbols.
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
  size_t fixed_;  // symbols at the start that must not change
  bool transpositions_;
  uint64_t symbols_[2] = {};  // that variants_ was built for
  std::vector<Plain> plain_;  // the string, and its edits without a new symbol
  // Hashes of the strings that a symbol beyond ASCII could be inserted into.
  std::vector<uint64_t> gaps_;
  std::vector<Variant> variants_;
};

}  // namespace quarry
