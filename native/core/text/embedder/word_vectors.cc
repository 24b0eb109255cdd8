// Computes and caches word vectors.
#include "text/embedder/word_vectors.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "text/analysis/utf8.h"
#include "text/embedder/lexical_stop_words.h"
#include "text/stemmers/porter.h"

namespace quarry {
namespace {

// Part of the recipe: another seed results in different vectors.
constexpr uint64_t kFeatureSeed = 0xCBF29CE484222325ULL;  // the usual offset basis of FNV-1a
constexpr uint64_t kFnvPrime = 0x100000001B3ULL;
constexpr uint64_t kStep = 0x9E3779B97F4A7C15ULL;
constexpr unsigned kBuckets = 4;
constexpr size_t kShortestGram = 3;
constexpr size_t kLongestGram = 5;
constexpr size_t kFirstSlots = 1024;

constexpr uint64_t fnv1a(uint64_t hash, std::string_view bytes) noexcept {
  for (const char c : bytes) hash = (hash ^ static_cast<unsigned char>(c)) * kFnvPrime;
  return hash;
}
constexpr uint64_t kStemSeed = fnv1a(kFeatureSeed, "s:");
constexpr uint64_t kGramSeed = fnv1a(kFeatureSeed, "c:");

constexpr uint64_t murmur_mix(uint64_t h) noexcept {
  h = (h ^ (h >> 33U)) * 0xFF51AFD7ED558CCDULL;
  h = (h ^ (h >> 33U)) * 0xC4CEB9FE1A85EC53ULL;
  return h ^ (h >> 33U);
}

/// 2^24 / sqrt(count). Division and square root are correctly rounded everywhere.
uint32_t gram_scale(uint32_t count) noexcept {
  constexpr double kSquare = 281474976710656.0;  // 2^48
  return count == 0 ? 0 : static_cast<uint32_t>(std::sqrt(kSquare / count));
}

}  // namespace

WordVectors::WordVectors(size_t max_bytes)
    : max_bytes_(max_bytes), stop_words_(lexical_stop_words()) {}

size_t WordVectors::Generation::bytes() const {
  return slots.size() * sizeof(Entry) + words.capacity() + buckets.capacity() * sizeof(uint16_t);
}

const WordVectors::Entry* WordVectors::Generation::find(std::string_view word, uint64_t hash,
                                                        uint32_t dims) const {
  if (slots.empty()) return nullptr;
  for (size_t at = hash;; ++at) {
    const Entry& entry = slots[at & (slots.size() - 1)];
    if (entry.dims == 0) return nullptr;
    if (entry.hash == hash && entry.dims == dims &&
        std::string_view(words).substr(entry.word_at, entry.word_bytes) == word) {
      return &entry;
    }
  }
}

void WordVectors::Generation::grow() {
  std::vector<Entry> before = std::exchange(slots, {});
  slots.resize(std::max(kFirstSlots, before.size() * 2));
  for (const Entry& entry : before) {
    if (entry.dims == 0) continue;
    size_t at = entry.hash;
    while (slots[at & (slots.size() - 1)].dims != 0) ++at;
    slots[at & (slots.size() - 1)] = entry;
  }
}

WordVectors::Entry& WordVectors::Generation::insert(Entry entry, std::string_view word) {
  if (2 * used >= slots.size()) grow();
  ++used;
  entry.word_at = static_cast<uint32_t>(words.size());
  entry.word_bytes = static_cast<uint16_t>(word.size());
  words.append(word);
  size_t at = entry.hash;
  while (slots[at & (slots.size() - 1)].dims != 0) ++at;
  return slots[at & (slots.size() - 1)] = entry;
}

std::span<const uint16_t> WordVectors::Generation::all_buckets(const Entry& entry) const {
  size_t count = 0;
  for (const uint16_t part : entry.counts) count += part;
  return std::span(buckets).subspan(entry.buckets_at, count);
}

WordVector WordVectors::Generation::view(const Entry& entry) const {
  std::span<const uint16_t> left = all_buckets(entry);
  const auto take = [&left](uint16_t count) {
    const std::span<const uint16_t> part = left.first(count);
    left = left.subspan(count);
    return part;
  };
  WordVector vector;
  vector.stem.plus = take(entry.counts[0]);
  vector.stem.minus = take(entry.counts[1]);
  vector.grams.plus = take(entry.counts[2]);
  vector.grams.minus = take(entry.counts[3]);
  vector.gram_scale = entry.gram_scale;
  return vector;
}

WordVector WordVectors::get(std::string_view word, uint64_t hash, uint32_t dims) {
  if (const Entry* entry = young_.find(word, hash, dims)) return young_.view(*entry);
  if (const Entry* entry = old_.find(word, hash, dims)) {
    // The buckets are copied, because keep() may drop the old generation.
    const std::span<const uint16_t> buckets = old_.all_buckets(*entry);
    scratch_.assign(buckets.begin(), buckets.end());
    return keep(*entry, word, scratch_);
  }
  return make(word, hash, dims);
}

WordVector WordVectors::keep(Entry entry, std::string_view word,
                             std::span<const uint16_t> buckets) {
  if (young_.bytes() >= max_bytes_ / 2) old_ = std::exchange(young_, {});
  entry.buckets_at = static_cast<uint32_t>(young_.buckets.size());
  young_.buckets.insert(young_.buckets.end(), buckets.begin(), buckets.end());
  return young_.view(young_.insert(entry, word));
}

WordVector WordVectors::make(std::string_view word, uint64_t hash, uint32_t dims) {
  for (std::vector<uint16_t>& part : parts_) part.clear();
  Entry entry;
  entry.hash = hash;
  entry.dims = static_cast<uint16_t>(dims);
  if (!is_stop_word(word)) {
    add_stem(word, dims);
    entry.gram_scale = gram_scale(add_grams(word, dims));
  }
  scratch_.clear();
  for (size_t i = 0; i < parts_.size(); ++i) {
    entry.counts[i] = static_cast<uint16_t>(parts_[i].size());
    scratch_.insert(scratch_.end(), parts_[i].begin(), parts_[i].end());
  }
  return keep(entry, word, scratch_);
}

/// `part` is 0 for stems, 2 for grams.
void WordVectors::add_feature(uint64_t feature_hash, uint32_t dims, size_t part) {
  for (unsigned j = 0; j < kBuckets; ++j) {
    const uint64_t h = murmur_mix(feature_hash + j * kStep);
    const auto bucket = static_cast<uint16_t>((h >> 32U) % dims);
    parts_[part + (h & 1U)].push_back(bucket);
  }
}

void WordVectors::add_stem(std::string_view word, uint32_t dims) {
  framed_.assign(word);
  framed_.resize(porter_stem(framed_.data(), framed_.size()));
  add_feature(fnv1a(kStemSeed, framed_), dims, 0);
}

/// Adds the n-grams of `word` and returns their number.
uint32_t WordVectors::add_grams(std::string_view word, uint32_t dims) {
  framed_.assign("<").append(word).append(">");
  ends_.clear();
  for (size_t at = 0; at < framed_.size(); ends_.push_back(static_cast<uint32_t>(at))) {
    at += decode_utf8(framed_, at).bytes;
  }
  const std::string_view framed = framed_;
  uint32_t grams = 0;
  for (size_t first = 0; first < ends_.size(); ++first) {
    uint64_t hash = kGramSeed;
    uint32_t from = first == 0 ? 0 : ends_[first - 1];
    const size_t longest = std::min({kLongestGram, ends_.size() - 1, ends_.size() - first});
    for (size_t length = 1; length <= longest; ++length) {
      const uint32_t end = ends_[first + length - 1];
      hash = fnv1a(hash, framed.substr(from, end - from));
      from = end;
      if (length < kShortestGram) continue;
      add_feature(hash, dims, 2);
      ++grams;
    }
  }
  return grams;
}

}  // namespace quarry
