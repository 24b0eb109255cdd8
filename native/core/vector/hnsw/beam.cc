#include "vector/hnsw/beam.h"

#include <algorithm>
#include <cassert>
#include <cstring>

namespace quarry {

uint32_t Beam::shift_for(int64_t lowest, int64_t highest) noexcept {
  uint32_t shift = 0;
  while (((highest - lowest) >> shift) >= kBuckets) ++shift;
  return shift;
}

void Beam::set_range(int64_t lowest, int64_t highest) noexcept {
  lowest_ = lowest;
  shift_ = shift_for(lowest, highest);
  floor_ = INT_MIN;
  worst_ = 0;
  held_ = 0;
  counted_ = 0;
  filled_words_ = 0;
  std::memset(occupied_, 0, sizeof occupied_);
  std::memset(count_, 0, sizeof count_);
  if (min_counted_ > 0) std::memset(counted_count_, 0, sizeof counted_count_);
}

void Beam::start(uint32_t width, uint32_t min_counted, int32_t lowest, int32_t highest) {
  assert(width > 0 && lowest <= highest);
  width_ = width;
  min_counted_ = min_counted;
  best_ = INT_MIN;
  items_.clear();
  set_range(lowest, highest);
}

void Beam::refine() {
  if (floor_ == INT_MIN) return;
  const int64_t lowest = lower_edge(worst_);
  const int64_t highest = best_ + (best_ - lowest) / 4;  // leaves room for better scores to come
  const bool coarse = shift_for(lowest, highest) + 3 <= shift_;
  const bool overflows = best_ >= lower_edge(kBuckets) && worst_ >= kBuckets / 2;
  if (coarse || overflows) rebuild(lowest, highest);
}

void Beam::rebuild(int64_t lowest, int64_t highest) {
  const int64_t keep_from =
      worst_ == 0 ? INT64_MIN : lowest;  // the first bucket also holds all lower scores
  set_range(lowest, highest);
  uint32_t kept = 0;
  for (const Item& item : items_) {
    if (item.score < keep_from) continue;
    const uint32_t bucket = bucket_of(item.score);
    items_[kept] = item;
    if (item.next != kPopped) enlist(kept, bucket);
    count(bucket, item.counted);
    ++kept;
  }
  items_.resize(kept);
  raise_floor();
}

void Beam::sorted(std::vector<Entry>& out) {
  uint32_t at = 0;
  for (uint32_t bucket = kBuckets; bucket-- > worst_;) {
    head_[bucket] = at;
    at += count_[bucket];
  }
  out.resize(at);
  for (const Item& item : items_) {
    const uint32_t bucket = bucket_of(item.score);
    if (bucket >= worst_) out[head_[bucket]++] = {item.score, item.node};
  }
  // The first and the last bucket also hold scores beyond the range, which may differ widely, so
  // both are sorted.
  const auto better = [](const Entry& a, const Entry& b) {
    return a.score != b.score ? a.score > b.score : a.node < b.node;
  };
  std::sort(out.begin(), out.begin() + count_[kBuckets - 1], better);
  if (worst_ == 0) std::sort(out.end() - count_[0], out.end(), better);
}

}  // namespace quarry
