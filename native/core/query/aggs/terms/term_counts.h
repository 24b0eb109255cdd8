// Counts documents by term: in an array by number, or in a hash table if there are far fewer
// documents than numbers.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include "query/aggs/frame/agg_memory.h"

namespace quarry {

class TermCounts {
 public:
  explicit TermCounts(AggBudget& budget) : budget_(&budget) {}

  /// Resets the counts. Numbers are below `numbers`; about `values` values will be added.
  void start(size_t numbers, uint64_t values) {
    const size_t before = counts_.capacity() * sizeof(uint32_t) + slots_.capacity() * sizeof(Slot);
    sparse_ = numbers > kAlwaysArray && values < numbers / kSparseShare;
    used_ = 0;
    counts_.assign(sparse_ ? 0 : numbers, 0);
    slots_.assign(sparse_ ? std::bit_ceil(2 * values + kMinSlots) : 0, Slot{});
    const size_t now = counts_.capacity() * sizeof(uint32_t) + slots_.capacity() * sizeof(Slot);
    if (now > before) budget_->charge(now - before);
  }

  bool sparse() const { return sparse_; }
  /// The counters by number, for loops that count by themselves. Requires !sparse().
  uint32_t* array() { return counts_.data(); }
  size_t array_size() const { return counts_.size(); }
  /// Requires sparse().
  void add(uint32_t number) {
    size_t at = place(number);
    while (slots_[at].count != 0 && slots_[at].number != number)
      at = (at + 1) & (slots_.size() - 1);
    slots_[at].number = number;
    if (slots_[at].count++ == 0 && ++used_ * 2 > slots_.size()) grow();
  }

  /// The number of terms with a count, and the sum of the counts.
  struct Totals {
    size_t numbers = 0;
    uint64_t sum = 0;
  };
  Totals totals() const {
    Totals out;
    for (const uint32_t count : counts_) {
      out.numbers += count != 0 ? 1 : 0;
      out.sum += count;
    }
    for (const Slot& slot : slots_) {
      out.numbers += slot.count != 0 ? 1 : 0;
      out.sum += slot.count;
    }
    return out;
  }

  /// Calls take(number, count) for each number that was added; ascending unless sparse.
  template <typename Take>
  void each(Take take) const {
    each_from([] { return uint64_t{1}; }, take);
  }
  /// The same, but numbers with a count below least() (at least 1; it may grow) may be skipped.
  template <typename Least, typename Take>
  void each_from(Least least, Take take) const {
    for (size_t first = 0; first < counts_.size(); first += kGroup) {
      const size_t end = std::min(first + kGroup, counts_.size());
      uint32_t any = 0;  // upper bound of the counters of the group
      for (size_t number = first; number < end; number++) any |= counts_[number];
      if (any < least()) continue;
      for (size_t number = first; number < end; number++) {
        if (counts_[number] >= least()) take(static_cast<uint32_t>(number), counts_[number]);
      }
    }
    for (const Slot& slot : slots_) {
      if (slot.count >= least()) take(slot.number, slot.count);
    }
  }

 private:
  struct Slot {
    uint32_t number = 0;
    uint32_t count = 0;  // 0: free
  };
  static constexpr size_t kAlwaysArray = 1024;
  static constexpr size_t kGroup = 16;  // counters that are skipped together
  static constexpr uint64_t kSparseShare = 4;
  static constexpr uint64_t kMinSlots = 16;

  size_t place(uint32_t number) const {
    return static_cast<size_t>((number * uint64_t{0x9e3779b97f4a7c15}) >> 32) & (slots_.size() - 1);
  }
  void grow() {
    std::vector<Slot> before(2 * slots_.size());
    before.swap(slots_);
    budget_->charge(slots_.size() / 2 * sizeof(Slot));
    for (const Slot& old : before) {
      if (old.count == 0) continue;
      size_t at = place(old.number);
      while (slots_[at].count != 0) at = (at + 1) & (slots_.size() - 1);
      slots_[at] = old;
    }
  }

  AggBudget* budget_;
  bool sparse_ = false;
  std::vector<uint32_t> counts_;
  std::vector<Slot> slots_;
  size_t used_ = 0;
};

}  // namespace quarry
