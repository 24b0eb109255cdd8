// Computes the documents of a window that match all of several clauses, as bits.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace quarry {

/// `Clause` has match_window(begin, end, bits), as a Scorer does.
template <typename Clause>
class WindowIntersection {
 public:
  /// Sets bit doc - `begin` for the documents of [begin, end). `clauses`: the rarest first. The
  /// result is valid until the next call.
  std::span<const uint64_t> of(std::span<Clause* const> clauses, uint32_t begin, uint32_t end) {
    const size_t words = (end - begin + 63) / 64;
    all_.assign(words, 0);
    clauses[0]->match_window(begin, end, all_.data());
    // The other clauses gather only the words where bits are left.
    size_t first = 0;
    size_t last = words;
    for (size_t i = 1; i < clauses.size(); i++) {
      while (first < last && all_[first] == 0) first++;
      while (first < last && all_[last - 1] == 0) last--;
      if (first == last) break;
      one_.assign(words, 0);
      const auto from = begin + static_cast<uint32_t>(first * 64);
      const uint32_t to = std::min(end, begin + static_cast<uint32_t>(last * 64));
      clauses[i]->match_window(from, to, one_.data() + first);
      for (size_t word = first; word < last; word++) all_[word] &= one_[word];
    }
    return all_;
  }

 private:
  std::vector<uint64_t> all_, one_;
};

}  // namespace quarry
