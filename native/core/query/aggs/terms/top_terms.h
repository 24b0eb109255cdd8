// Selects the best of many terms by their counts, without sorting the others.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace quarry {

struct CountedTerm {
  uint32_t number = 0;
  uint64_t count = 0;
};

/// Keeps the first `keep` terms by descending count, ties by `Before` (number, number).
template <typename Before>
class TopTerms {
 public:
  TopTerms(size_t keep, Before before) : keep_(keep), before_(std::move(before)) {}

  void offer(uint32_t number, uint64_t count) {
    if (count < least_) return;
    terms_.push_back({number, count});
    if (terms_.size() >= kSlack * (keep_ + kSlack)) shrink();
  }
  /// Terms that count less need not be offered; at least 1.
  uint64_t least() const { return least_; }
  /// Best first.
  std::vector<CountedTerm> take() {
    shrink();
    std::sort(terms_.begin(), terms_.end(), order());
    return std::move(terms_);
  }

 private:
  static constexpr size_t kSlack = 8;

  auto order() const {
    return [this](const CountedTerm& a, const CountedTerm& b) {
      return a.count != b.count ? a.count > b.count : before_(a.number, b.number);
    };
  }
  void shrink() {
    if (terms_.size() <= keep_) return;
    const auto middle = terms_.begin() + static_cast<std::ptrdiff_t>(keep_);
    std::nth_element(terms_.begin(), middle, terms_.end(), order());
    terms_.resize(keep_);
    least_ = UINT64_MAX;
    for (const CountedTerm& term : terms_) least_ = std::min(least_, term.count);
  }

  size_t keep_;
  Before before_;
  uint64_t least_ = 1;  // terms that count less cannot be among the best
  std::vector<CountedTerm> terms_;
};

}  // namespace quarry
