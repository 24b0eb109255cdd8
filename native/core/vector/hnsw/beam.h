// The beam of a graph walk: a bucket queue over integer scores. Push, pop and the current threshold
// (the bucket in which the best `width` end) are O(1), where two heaps or a sorted array would cost
// more than the distances.
#pragma once

#include <algorithm>
#include <bit>
#include <climits>
#include <cstdint>
#include <vector>

namespace quarry {

/// Used by one walk at a time; nothing is allocated once the buffers are large enough. Of entries
/// in the same bucket, the most recent one is popped first.
class Beam {
 public:
  static constexpr uint32_t kNone = UINT32_MAX;
  struct Entry {
    int32_t score = 0;
    uint32_t node = 0;
  };

  /// Starts a walk that keeps the best `width` entries, and at least `min_counted` of those pushed
  /// as counted. Scores are expected in [lowest, highest]; others go to the first or last bucket.
  void start(uint32_t width, uint32_t min_counted, int32_t lowest, int32_t highest);

  /// Entries with a lower score are rejected.
  int32_t floor() const noexcept { return floor_; }
  /// `score` must be >= floor(). `counted` is false for a node that is only traversed and not
  /// returned.
  void push(uint32_t node, int32_t score, bool counted);
  /// The best node that was not popped yet; kNone when there is none.
  uint32_t pop() noexcept;
  /// Called periodically (once per batch): when the scores in the beam occupy only few buckets, the
  /// buckets are made narrower.
  void refine();

  /// The entries of the beam, best bucket first, at most one bucket more than `width`. Ends the
  /// walk.
  void sorted(std::vector<Entry>& out);
  /// No entry in sorted() is better than an earlier one by this much or more.
  int32_t bucket_width() const { return int32_t{1} << shift_; }

 private:
  static constexpr uint32_t kBuckets = 1024;
  static constexpr uint32_t kFewBuckets = kBuckets / 8;
  static constexpr uint32_t kEnd = UINT32_MAX;         // end of a bucket's list
  static constexpr uint32_t kPopped = UINT32_MAX - 1;  // not in any list
  struct Item {
    int32_t score;
    uint32_t node;
    uint32_t next;
    bool counted;
  };

  uint32_t bucket_of(int32_t score) const noexcept {
    if (score <= lowest_) return 0;
    const auto bucket = static_cast<uint32_t>((int64_t{score} - lowest_) >> shift_);
    return bucket < kBuckets ? bucket : kBuckets - 1;
  }
  int64_t lower_edge(uint32_t bucket) const noexcept {
    return lowest_ + (int64_t{bucket} << shift_);
  }
  /// The number of low bits of a score that a bucket ignores, so that the buckets cover [lowest,
  /// highest].
  static uint32_t shift_for(int64_t lowest, int64_t highest) noexcept;
  void set_range(int64_t lowest, int64_t highest) noexcept;
  void rebuild(int64_t lowest, int64_t highest);
  void enlist(uint32_t item, uint32_t bucket) noexcept;
  void count(uint32_t bucket, bool counted) noexcept;
  void raise_floor() noexcept;

  uint32_t width_ = 0;
  uint32_t min_counted_ = 0;
  int64_t lowest_ = 0;
  int32_t best_ = INT_MIN;
  uint32_t shift_ = 0;
  int32_t floor_ = INT_MIN;
  uint32_t worst_ = 0;                // the lowest bucket that is still in the beam
  uint32_t held_ = 0;                 // entries in buckets >= worst_
  uint32_t counted_ = 0;              // counted entries among them
  uint32_t filled_words_ = 0;         // bit w: occupied_[w] is not zero
  uint64_t occupied_[kBuckets / 64];  // bit b: the bucket has entries that are not popped
  uint32_t head_[kBuckets];           // valid where occupied
  uint32_t count_[kBuckets];          // entries, including popped ones
  uint32_t counted_count_[kBuckets];  // maintained only if min_counted_ > 0
  std::vector<Item> items_;
};

inline void Beam::enlist(uint32_t item, uint32_t bucket) noexcept {
  const uint32_t word = bucket >> 6;
  const uint64_t bit = uint64_t{1} << (bucket & 63);
  items_[item].next = (occupied_[word] & bit) != 0 ? head_[bucket] : kEnd;
  occupied_[word] |= bit;
  filled_words_ |= uint32_t{1} << word;
  head_[bucket] = item;
}

inline void Beam::count(uint32_t bucket, bool counted) noexcept {
  ++count_[bucket];
  ++held_;
  if (min_counted_ == 0) return;
  counted_count_[bucket] += counted ? 1 : 0;
  counted_ += counted ? 1 : 0;
}

inline void Beam::raise_floor() noexcept {
  if (held_ < width_ || counted_ < min_counted_) return;
  while (held_ - count_[worst_] >= width_) {
    if (min_counted_ > 0) {
      if (counted_ - counted_count_[worst_] < min_counted_) break;
      counted_ -= counted_count_[worst_];
    }
    held_ -= count_[worst_++];
  }
  floor_ = static_cast<int32_t>(std::min<int64_t>(lower_edge(worst_ + 1), INT_MAX));
}

inline void Beam::push(uint32_t node, int32_t score, bool counted) {
  const uint32_t bucket = bucket_of(score);
  const auto item = static_cast<uint32_t>(items_.size());
  items_.push_back({score, node, kEnd, counted});
  enlist(item, bucket);
  best_ = std::max(best_, score);
  count(bucket, counted);
  raise_floor();
}

inline uint32_t Beam::pop() noexcept {
  if (filled_words_ == 0) return kNone;
  const auto word = static_cast<uint32_t>(31 - std::countl_zero(filled_words_));
  const uint32_t bucket = word * 64 + 63 - static_cast<uint32_t>(std::countl_zero(occupied_[word]));
  if (bucket < worst_) return kNone;
  Item& item = items_[head_[bucket]];
  head_[bucket] = item.next;
  if (item.next == kEnd) {
    occupied_[word] &= ~(uint64_t{1} << (bucket & 63));
    if (occupied_[word] == 0) filled_words_ &= ~(uint32_t{1} << word);
  }
  item.next = kPopped;
  return item.node;
}

}  // namespace quarry
