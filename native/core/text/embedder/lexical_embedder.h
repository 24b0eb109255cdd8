// The built-in embedder `svc-lex-1`: text to a unit vector of hashed stems and character n-grams,
// without a model.
//
//   tokens    LexicalScanner: folded words
//   document  normalise( sum over distinct words that are no stop words of (1 + ln tf) * v(w) )
//   query     the same with (1 + ln tf) * weight(w), the weight given by the caller: sqrt(idf)
//   v(w)      word_vectors.h
//
// The result has the same bits on every machine, compiler and instruction set: ln by integer
// arithmetic, summation in 64-bit fixed point (24 binary digits), so its order does not matter; the
// sums are cut to 25 bits below the largest one, whose squares add up exactly in 64 bits; then one
// square root, one division and one rounding to float32 each, all exact by IEEE 754. No product is
// added to anything in floating point, so a fused multiply-add changes nothing. A document's vector
// depends on its text and dims alone. Any change of a bit is a new recipe with a new name.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "text/embedder/word_counts.h"
#include "text/embedder/word_vectors.h"

namespace quarry {

/// Name and version, kept in mappings.
constexpr std::string_view kLexicalEmbedder = "svc-lex-1";
constexpr uint32_t kDefaultLexicalDims = 512;

/// A distinct word of a text that is no stop word.
struct LexicalTerm {
  std::string_view word;  // folded (lexical_words.h)
  std::string_view stem;  // the same through porter_stem, as in a field of the english analyzer
  uint32_t count = 0;
};

/// The weight of a term. Clamped to 0 .. kMaxTermWeight in steps of 2^-16; no number counts as 0.
using TermWeight = std::function<double(const LexicalTerm&)>;
constexpr double kMaxTermWeight = 64;

/// Scratch and a cache of word vectors around pure functions: one per thread, no call changes what
/// another answers.
class LexicalEmbedder {
 public:
  static constexpr size_t kDefaultCacheBytes = size_t{8} << 20;

  explicit LexicalEmbedder(size_t cache_bytes = kDefaultCacheBytes) : vectors_(cache_bytes) {}

  /// Writes out.size() (1 .. kMaxLexicalDims) floats of unit length. False, and zeros, when nothing
  /// is left of the text (no words, or stop words and weights of 0 only): such a text has no
  /// direction, must not be stored as a vector, and finds nothing.
  /// `weight` is called once a term in the order of first occurrence; empty: all weigh 1.
  bool embed(std::string_view text, std::span<float> out, const TermWeight& weight = {});

  /// Calls `visit` for each term in the order of first occurrence.
  void each_term(std::string_view text, const std::function<void(const LexicalTerm&)>& visit);

  size_t cache_bytes() const { return vectors_.bytes(); }

 private:
  void count_words(std::string_view text);
  LexicalTerm term_of(const WordCounts::Item& item);
  void add(const WordVector& vector, int64_t factor);
  bool normalise(std::span<float> out) const;

  WordVectors vectors_;
  WordCounts counts_;
  std::vector<int64_t> sums_;
  std::string stem_;
};

}  // namespace quarry
