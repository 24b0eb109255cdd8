#include "vector/document_ranks.h"

#include <algorithm>

#include "base/bit_list.h"

namespace quarry {
namespace {

constexpr size_t kWordsAtOnce = 64;

}  // namespace

DocumentRanks::DocumentRanks(std::span<const uint32_t> docs, uint32_t max_doc, bool repeats)
    : docs_(docs),
      has_rows_((size_t{max_doc} + 63) / 64),
      first_(has_rows_.size() + 1),
      repeats_(repeats) {
  for (const uint32_t doc : docs) {
    has_rows_[doc / 64] |= uint64_t{1} << (doc % 64);
    first_[doc / 64 + 1]++;
  }
  for (size_t word = 0; word < has_rows_.size(); word++) first_[word + 1] += first_[word];
}

void DocumentRanks::rows_of(const Bitset& documents, Bitset& ordinals) const {
  const auto count = static_cast<uint32_t>(docs_.size());
  if (ordinals.size() != count) ordinals = Bitset(count);
  std::fill(ordinals.words().begin(), ordinals.words().end(), 0);
  repeats_ ? add_all_rows(documents.words(), ordinals.words())
           : add_single_rows(documents.words(), ordinals.words());
}

void DocumentRanks::add_single_rows(std::span<const uint64_t> documents,
                                    std::span<uint64_t> ordinals) const {
  for (size_t begin = 0; begin < documents.size(); begin += kWordsAtOnce) {
    const size_t count = std::min(kWordsAtOnce, documents.size() - begin);
    uint64_t rows[kWordsAtOnce];
    compress_words(documents.data() + begin, has_rows_.data() + begin, count, rows);
    for (size_t i = 0; i < count; i++) {
      if (rows[i] == 0) continue;
      const uint32_t at = first_[begin + i], bit = at % 64;
      ordinals[at / 64] |= rows[i] << bit;
      const uint64_t beyond = bit == 0 ? 0 : rows[i] >> (64 - bit);
      if (beyond != 0) ordinals[at / 64 + 1] |= beyond;
    }
  }
}

void DocumentRanks::add_all_rows(std::span<const uint64_t> documents,
                                 std::span<uint64_t> ordinals) const {
  for (size_t word = 0; word < documents.size(); word++) {
    const uint64_t wanted = documents[word];
    if (wanted == 0) continue;
    for (uint32_t at = first_[word]; at < first_[word + 1]; at++) {
      ordinals[at / 64] |= (wanted >> (docs_[at] % 64) & 1) << (at % 64);
    }
  }
}

}  // namespace quarry
