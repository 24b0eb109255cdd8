// Maps (owner, key) to buckets, numbered in order of appearance, and groups them by owner.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "base/stop_check.h"
#include "query/aggs/frame/agg_memory.h"

namespace quarry {

/// About what it takes to choose, order and write a bucket of an answer.
inline constexpr uint64_t kNanosPerBucket = 20;

/// Hash table with open addressing; the number of a bucket never changes.
class BucketTable {
 public:
  explicit BucketTable(AggBudget& budget) : budget_(&budget) {}

  /// The bucket of an owner's key, which is created if it does not exist.
  uint32_t add(uint32_t owner, int64_t key) {
    if ((size() + 1) * 2 > slots_.size()) grow();
    size_t at = slot_of(owner, key);
    while (slots_[at] != 0) {
      const uint32_t bucket = slots_[at] - 1;
      if (keys_[bucket] == key && owners_[bucket] == owner) return bucket;
      at = (at + 1) & (slots_.size() - 1);
    }
    keys_.push_back(key);
    owners_.push_back(owner);
    slots_[at] = static_cast<uint32_t>(size());
    return slots_[at] - 1;
  }

  /// Makes room for `more` buckets.
  void reserve(size_t more) {
    while ((size() + more) * 2 > slots_.size()) grow();
  }

  size_t size() const { return keys_.size(); }
  int64_t key(uint32_t bucket) const { return keys_[bucket]; }
  uint32_t owner(uint32_t bucket) const { return owners_[bucket]; }

 private:
  size_t slot_of(uint32_t owner, int64_t key) const {
    uint64_t hash = static_cast<uint64_t>(key) * 0x9e3779b97f4a7c15ULL;
    hash ^= (uint64_t{owner} + 1) * 0xc2b2ae3d27d4eb4fULL;
    hash ^= hash >> 29;
    hash *= 0xbf58476d1ce4e5b9ULL;
    return static_cast<size_t>(hash >> 20) & (slots_.size() - 1);
  }
  void grow() {
    const size_t before = slots_.size();
    slots_.assign(before == 0 ? 64 : 2 * before, 0);
    budget_->charge((slots_.size() - before) * (sizeof(uint32_t) + 6));
    for (uint32_t bucket = 0; bucket < size(); bucket++) {
      size_t at = slot_of(owners_[bucket], keys_[bucket]);
      while (slots_[at] != 0) at = (at + 1) & (slots_.size() - 1);
      slots_[at] = bucket + 1;
    }
  }

  AggBudget* budget_;
  std::vector<uint32_t> slots_;  // bucket + 1, 0: free
  std::vector<int64_t> keys_;
  std::vector<uint32_t> owners_;
};

/// The buckets of some owners, grouped by owner.
struct BucketGroups {
  std::vector<uint32_t> buckets;
  std::vector<uint32_t> ends;  // by position of the owner in the list of owners
  std::span<uint32_t> group(size_t owner) {
    const uint32_t begin = owner == 0 ? 0 : ends[owner - 1];
    return std::span(buckets).subspan(begin, ends[owner] - begin);
  }
  std::vector<uint32_t> sizes() const {
    std::vector<uint32_t> out;
    for (size_t i = 0; i < ends.size(); i++) out.push_back(ends[i] - (i == 0 ? 0 : ends[i - 1]));
    return out;
  }
};

/// Within a group in order of appearance. Groups are empty once the budget of the search has no
/// room for them.
inline BucketGroups group_buckets(const BucketTable& table, std::span<const uint32_t> owners,
                                  StopCheck& stop) {
  constexpr uint32_t kNoPlace = UINT32_MAX;
  uint32_t highest = 0;
  for (const uint32_t owner : owners) highest = owner > highest ? owner : highest;
  std::vector<uint32_t> position(owners.empty() ? 0 : size_t{highest} + 1, kNoPlace);
  for (uint32_t i = 0; i < owners.size(); i++) position[owners[i]] = i;
  const auto place = [&](uint32_t bucket) {
    const uint32_t owner = table.owner(bucket);
    return owner < position.size() ? position[owner] : kNoPlace;
  };
  BucketGroups groups;
  groups.ends.assign(owners.size(), 0);
  if (stop.out_of_budget_within(kNanosPerBucket * table.size())) return groups;
  for (uint32_t bucket = 0; bucket < table.size(); bucket++) {
    if (place(bucket) != kNoPlace) groups.ends[place(bucket)]++;
  }
  uint32_t total = 0;
  for (uint32_t& end : groups.ends) {
    const uint32_t count = end;
    end = total;  // the start of the group until the group is filled
    total += count;
  }
  groups.buckets.resize(total);
  for (uint32_t bucket = 0; bucket < table.size(); bucket++) {
    if (place(bucket) != kNoPlace) groups.buckets[groups.ends[place(bucket)]++] = bucket;
  }
  return groups;
}

/// The same, within a group by key, ascending.
inline BucketGroups group_by_key(const BucketTable& table, std::span<const uint32_t> owners,
                                 StopCheck& stop) {
  BucketGroups groups = group_buckets(table, owners, stop);
  const auto before = [&](uint32_t a, uint32_t b) { return table.key(a) < table.key(b); };
  for (size_t i = 0; i < owners.size(); i++) {
    const std::span<uint32_t> group = groups.group(i);
    if (!std::is_sorted(group.begin(), group.end(), before))
      std::sort(group.begin(), group.end(), before);
  }
  return groups;
}

}  // namespace quarry
