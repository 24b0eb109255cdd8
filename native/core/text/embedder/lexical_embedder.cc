// Fixed-point sums of word vectors and their normalization.
#include "text/embedder/lexical_embedder.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "text/analysis/unicode.h"
#include "text/analysis/utf8.h"
#include "text/stemmers/porter.h"

namespace quarry {
namespace {

constexpr unsigned kFraction = 24;  // binary fraction digits of the sums
constexpr unsigned kWeightFraction = 16;
constexpr unsigned kNormBits = 25;  // (2^25)^2 * kMaxLexicalDims < 2^63
static_assert(kMaxLexicalDims <= 4096);

/// 1 + ln(count), rounded down to kFraction binary digits; count >= 1. The binary digits of the
/// logarithm are computed by squaring.
constexpr int64_t one_plus_ln(uint32_t count) {
  constexpr uint64_t kLn2 = 0xB17217F7ULL;  // ln 2 * 2^32
  const auto whole = static_cast<unsigned>(std::bit_width(count)) - 1;
  uint64_t mantissa = (uint64_t{count} << 31U) >> whole;  // 1 <= mantissa / 2^31 < 2
  uint64_t log2 = whole;
  for (unsigned digit = 0; digit < kFraction; ++digit) {
    mantissa = (mantissa * mantissa) >> 31U;
    const uint64_t bit = mantissa >> 32U;
    mantissa >>= bit;
    log2 = (log2 << 1U) | bit;
  }
  return static_cast<int64_t>((uint64_t{1} << kFraction) + ((log2 * kLn2) >> 32U));
}

constexpr std::array<int64_t, 64> first_factors() {
  std::array<int64_t, 64> out{};
  for (uint32_t count = 1; count < out.size(); ++count) out[count] = one_plus_ln(count);
  return out;
}
constexpr auto kFactors = first_factors();

int64_t tf_factor(uint32_t count) {
  return count < kFactors.size() ? kFactors[count] : one_plus_ln(count);
}

int64_t weighted(int64_t factor, double weight) {
  if (!(weight > 0)) return 0;
  const auto fixed = static_cast<int64_t>(std::min(weight, kMaxTermWeight) * 65536.0);
  return (factor * fixed) >> kWeightFraction;
}

void add_part(int64_t* sums, const WordVector::Part& part, int64_t value) {
  for (const uint16_t bucket : part.plus) sums[bucket] += value;
  for (const uint16_t bucket : part.minus) sums[bucket] -= value;
}

/// The scanner gives words of such letters or of others, never of both.
bool is_ideographs(std::string_view word) {
  if (static_cast<unsigned char>(word[0]) < 0x80) return false;
  const WordClass letter = word_property(decode_utf8(word, 0).value).word_class();
  return letter == WordClass::kHan || letter == WordClass::kHiragana;
}

bool is_single_han(std::string_view word) {
  const CodePoint first = decode_utf8(word, 0);
  return first.bytes == word.size() && word_property(first.value).word_class() == WordClass::kHan;
}

}  // namespace

void LexicalEmbedder::count_words(std::string_view text, LexicalRecipe recipe) {
  counts_.clear();
  LexicalScanner scanner(text, han_words_of(recipe));
  for (LexicalWord word; scanner.next(word);) counts_.add(word.text);
}

LexicalTerm LexicalEmbedder::term_of(const WordCounts::Item& item) {
  const std::string_view word = counts_.word(item);
  stem_.assign(word);
  stem_.resize(porter_stem(stem_.data(), stem_.size()));
  return {word, stem_, item.count};
}

void LexicalEmbedder::each_term(std::string_view text,
                                const std::function<void(const LexicalTerm&)>& visit,
                                LexicalRecipe recipe) {
  count_words(text, recipe);
  for (const WordCounts::Item& item : counts_.items()) {
    if (!vectors_.is_stop_word(counts_.word(item))) visit(term_of(item));
  }
}

/// A feature of weight 1 contributes +-1/2 to each of its buckets.
void LexicalEmbedder::add(const WordVector& vector, int64_t factor) {
  const int64_t half = factor / 2;
  add_part(sums_.data(), vector.stem, half);
  add_part(sums_.data(), vector.grams, (half * vector.gram_scale) >> kFraction);
}

/// A pair is half as much as the two characters, which it repeats in their order.
void LexicalEmbedder::add_ideographs(std::string_view word, const WordVector& vector,
                                     int64_t factor) {
  const int64_t half = factor / 2;
  add_part(sums_.data(), vector.stem, is_single_han(word) ? half : half / 2);
}

bool LexicalEmbedder::normalise(std::span<float> out) const {
  int64_t largest = 0;
  for (const int64_t sum : sums_) largest = std::max(largest, std::abs(sum));
  const int bits = static_cast<int>(std::bit_width(static_cast<uint64_t>(largest)));
  const int shift = std::max(0, bits - static_cast<int>(kNormBits));
  int64_t squares = 0;
  for (const int64_t sum : sums_) squares += (sum >> shift) * (sum >> shift);
  if (squares == 0) {
    std::fill(out.begin(), out.end(), 0.0F);
    return false;
  }
  const double norm = std::sqrt(static_cast<double>(squares));
  for (size_t i = 0; i < out.size(); ++i) {
    out[i] = static_cast<float>(static_cast<double>(sums_[i] >> shift) / norm);
  }
  return true;
}

bool LexicalEmbedder::embed(std::string_view text, std::span<float> out, const TermWeight& weight,
                            LexicalRecipe recipe) {
  const auto dims = static_cast<uint32_t>(out.size());
  sums_.assign(dims, 0);
  count_words(text, recipe);
  for (const WordCounts::Item& item : counts_.items()) {
    const std::string_view word = counts_.word(item);
    const WordVector vector = vectors_.get(word, item.hash, dims);
    if (vector.empty()) continue;
    int64_t factor = tf_factor(item.count);
    if (weight) factor = weighted(factor, weight(term_of(item)));
    if (recipe == LexicalRecipe::kSecond && is_ideographs(word)) {
      add_ideographs(word, vector, factor);
    } else {
      add(vector, factor);
    }
  }
  return normalise(out);
}

}  // namespace quarry
