// A bit set of the documents of a scored block that may still be hits, by their place in the block.
#pragma once

#include <bit>
#include <cstdint>
#include <span>

#include "postings/postings.h"

#if defined(__x86_64__)
#include <emmintrin.h>
#endif

namespace quarry {

class BlockSelection {
 public:
  /// Selects those of at most kBlockDocs documents that lie in [begin, end) and score above
  /// `min_competitive_score`.
  BlockSelection(std::span<const uint32_t> docs, std::span<const float> scores, uint32_t begin,
                 uint32_t end, float min_competitive_score) noexcept {
    size_t i = 0;
#if defined(__x86_64__)
    const __m128 limit = _mm_set1_ps(min_competitive_score);
    for (; i + 4 <= docs.size(); i += 4) {
      const auto above = static_cast<uint32_t>(
          _mm_movemask_ps(_mm_cmpgt_ps(_mm_loadu_ps(scores.data() + i), limit)));
      words_[i / 64] |= uint64_t{above} << (i % 64);
    }
#endif
    for (; i < docs.size(); i++)
      words_[i / 64] |= uint64_t{scores[i] > min_competitive_score ? 1U : 0U} << (i % 64);
    // Documents ascend, and few lie outside.
    for (i = 0; i < docs.size() && docs[i] < begin; i++) drop(i);
    for (i = docs.size(); i > 0 && docs[i - 1] >= end; i--) drop(i - 1);
  }

  bool empty() const noexcept { return (words_[0] | words_[1]) == 0; }
  /// Removes and returns the first place; the selection must not be empty.
  size_t pop() noexcept {
    const size_t word = words_[0] != 0 ? 0 : 1;
    const size_t place = word * 64 + static_cast<size_t>(std::countr_zero(words_[word]));
    words_[word] &= words_[word] - 1;
    return place;
  }

 private:
  void drop(size_t place) noexcept { words_[place / 64] &= ~(uint64_t{1} << (place % 64)); }

  static_assert(kBlockDocs == 128);
  uint64_t words_[2] = {};
};

}  // namespace quarry
