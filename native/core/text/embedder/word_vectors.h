// The vectors of single words in the recipe `svc-lex-1`, computed once and cached.
//
//   v(w) = e("s:" + porter(w)) + sum over grams g of e("c:" + g) / sqrt(number of grams)
//   grams  the runs of 3, 4 and 5 code points of "<w>", with repetitions, except "<w>" itself
//   e(x)   +-1/2 in four buckets: h = FNV-1a of the bytes of x, from kFeatureSeed;
//          h_j = mix(h + j * 0x9E3779B97F4A7C15) with murmur3's 64-bit mix, j = 0..3;
//          bucket (h_j >> 32) mod dims, minus when h_j is odd
//
// All values are integers, so a vector is the same on every machine and in any order of addition.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "text/analysis/term_set.h"

namespace quarry {

/// Buckets are stored in 16 bits.
constexpr uint32_t kMaxLexicalDims = 4096;

/// The vector of a word: `plus` and `minus` list the buckets, with repetitions.
struct WordVector {
  struct Part {
    std::span<const uint16_t> plus;
    std::span<const uint16_t> minus;
  };
  Part stem;
  Part grams;
  uint32_t gram_scale = 0;  // 2^24 / sqrt(number of grams), rounded down
  bool empty() const { return stem.plus.empty() && stem.minus.empty(); }
};

/// Two generations of words in open addressing. The older one is dropped as a whole when the
/// younger one fills half of the bytes, so words in use stay cached. Not thread-safe, one per
/// thread.
class WordVectors {
 public:
  explicit WordVectors(size_t max_bytes);

  /// `word` is a word of the scanner, `hash` its hash64, 1 <= `dims` <= kMaxLexicalDims. Stop words
  /// have an empty vector. The result is valid until the next call.
  WordVector get(std::string_view word, uint64_t hash, uint32_t dims);
  bool is_stop_word(std::string_view word) const { return stop_words_.contains(word); }
  size_t bytes() const { return young_.bytes() + old_.bytes(); }

 private:
  struct Entry {
    uint64_t hash = 0;
    uint32_t word_at = 0;
    uint32_t buckets_at = 0;
    uint32_t gram_scale = 0;
    uint16_t dims = 0;  // 0: a free slot
    uint16_t word_bytes = 0;
    std::array<uint16_t, 4> counts{};  // stem plus, stem minus, grams plus, grams minus
  };
  struct Generation {
    std::vector<Entry> slots;
    std::string words;
    std::vector<uint16_t> buckets;
    size_t used = 0;

    size_t bytes() const;
    const Entry* find(std::string_view word, uint64_t hash, uint32_t dims) const;
    Entry& insert(Entry entry, std::string_view word);
    void grow();
    WordVector view(const Entry& entry) const;
    std::span<const uint16_t> all_buckets(const Entry& entry) const;
  };

  WordVector keep(Entry entry, std::string_view word, std::span<const uint16_t> buckets);
  WordVector make(std::string_view word, uint64_t hash, uint32_t dims);
  void add_stem(std::string_view word, uint32_t dims);
  uint32_t add_grams(std::string_view word, uint32_t dims);
  void add_feature(uint64_t feature_hash, uint32_t dims, size_t part);

  const size_t max_bytes_;
  const TermSet stop_words_;
  Generation young_;
  Generation old_;
  // Buckets of the word being computed, in the order of counts.
  std::array<std::vector<uint16_t>, 4> parts_;
  std::vector<uint16_t> scratch_;
  std::string framed_;
  std::vector<uint32_t> ends_;
};

}  // namespace quarry
