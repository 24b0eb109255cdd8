// The built-in embedder: maps text to a unit vector of hashed stems and character n-grams, without
// a model. `svc-lex-1`:
//
//   tokens    LexicalScanner: folded words
//   document  normalize( sum over distinct words except stop words of (1 + ln tf) * v(w) )
//   query     the same with (1 + ln tf) * weight(w), the weight given by the caller: sqrt(idf)
//   v(w)      word_vectors.h
//
// `svc-lex-2` differs from it in texts with Han or Hiragana alone:
//
//   tokens    each Han character is a word beside the pairs
//   v(w)      for a word of Han or Hiragana its stem feature alone, which n-grams would only
//             repeat: one of a single Han character counts whole, any other (pairs, a single
//             character of Hiragana) half
//
// The result has the same bits on every machine, compiler and instruction set: ln is computed in
// integer arithmetic, and summation in 64-bit fixed point (24 binary digits), so its order does not
// matter. The sums are cut to 25 bits below the largest one, so their squares add up exactly in 64
// bits. Then one square root, one division and one rounding to float32 each follow, all exact by
// IEEE 754. No floating-point product is added to anything, so a fused multiply-add changes
// nothing. A document's vector depends only on its text and dims. A change of any bit is a new
// recipe with a new name.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "text/embedder/lexical_recipe.h"
#include "text/embedder/lexical_words.h"
#include "text/embedder/word_counts.h"
#include "text/embedder/word_vectors.h"

namespace quarry {

/// How a recipe scans words (LexicalScanner).
constexpr HanWords han_words_of(LexicalRecipe recipe) {
  return recipe == LexicalRecipe::kFirst ? HanWords::kPairs : HanWords::kPairsAndSingles;
}

/// A distinct word of a text that is not a stop word.
struct LexicalTerm {
  std::string_view word;  // folded (lexical_words.h)
  std::string_view stem;  // the word stemmed by porter_stem, as in a field of the english analyzer
  uint32_t count = 0;
};

/// The weight of a term, clamped to 0 .. kMaxTermWeight in steps of 2^-16; NaN counts as 0.
using TermWeight = std::function<double(const LexicalTerm&)>;
constexpr double kMaxTermWeight = 64;

/// Buffers and a cache of word vectors for pure functions: no call changes the result of another.
/// Not thread-safe, one per thread.
class LexicalEmbedder {
 public:
  static constexpr size_t kDefaultCacheBytes = size_t{8} << 20;

  explicit LexicalEmbedder(size_t cache_bytes = kDefaultCacheBytes) : vectors_(cache_bytes) {}

  /// Writes out.size() (1 .. kMaxLexicalDims) floats of unit length. Returns false and writes zeros
  /// when the text has no words except stop words and words of weight 0. Such a text has no
  /// direction, must not be stored as a vector and has no matches. `weight` is called once per term
  /// in the order of first occurrence; empty: all weights are 1.
  bool embed(std::string_view text, std::span<float> out, const TermWeight& weight = {},
             LexicalRecipe recipe = LexicalRecipe::kFirst);

  /// Calls `visit` for each term in the order of first occurrence.
  void each_term(std::string_view text, const std::function<void(const LexicalTerm&)>& visit,
                 LexicalRecipe recipe = LexicalRecipe::kFirst);

  size_t cache_bytes() const { return vectors_.bytes(); }

 private:
  void count_words(std::string_view text, LexicalRecipe recipe);
  LexicalTerm term_of(const WordCounts::Item& item);
  void add(const WordVector& vector, int64_t factor);
  void add_ideographs(std::string_view word, const WordVector& vector, int64_t factor);
  bool normalise(std::span<float> out) const;

  WordVectors vectors_;
  WordCounts counts_;
  std::vector<int64_t> sums_;
  std::string stem_;
};

}  // namespace quarry
