// The accumulator in which block-at-a-time disjunctions gather the scores of their clauses.
#pragma once

#include <cstdint>

namespace quarry {

/// The scores of consecutive documents, filled clause by clause.
struct ScoreWindow {
  static constexpr uint32_t kDocs = 4096;
  uint32_t begin = 0;
  bool count_matches = false;  // whether `matched` is filled
  double scores[kDocs] = {};
  uint16_t matched[kDocs] = {};
  uint64_t bits[kDocs / 64] = {};

  void add(uint32_t doc, float score) noexcept {
    const uint32_t at = doc - begin;
    scores[at] += static_cast<double>(score);
    bits[at >> 6] |= uint64_t{1} << (at & 63);
    if (count_matches) matched[at]++;
  }
};

}  // namespace quarry
