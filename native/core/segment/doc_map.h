// Maps old document numbers to new ones without gaps; deleted documents are left out.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "base/bitset.h"

namespace quarry {

/// A document of one input of a merge.
struct SourceDoc {
  uint32_t source = 0;
  uint32_t doc = 0;
};

/// The new number of a deleted document.
inline constexpr uint32_t kDeletedDoc = UINT32_MAX;

/// Preserves the order of documents unless it is made from numbers. Immutable.
class DocMap {
 public:
  /// The new number of each document; those of `live` documents are not kDeletedDoc.
  DocMap(std::vector<uint32_t> numbers, uint32_t live)
      : count_(static_cast<uint32_t>(numbers.size())),
        base_(0),
        live_(live),
        map_(std::move(numbers)) {}
  /// All `count` documents are live; the first one becomes `base`.
  DocMap(uint32_t count, uint32_t base) : count_(count), base_(base), live_(count) {}
  /// Only the documents set in `live` are kept.
  DocMap(const Bitset& live, uint32_t base)
      : count_(live.size()), base_(base), live_(live.count()) {
    if (live_ == count_) return;
    map_.assign(count_, kDeletedDoc);
    uint32_t next = base;
    for (uint32_t doc = live.next(0); doc < count_; doc = live.next(doc + 1)) map_[doc] = next++;
  }

  /// The new number, or kDeletedDoc.
  uint32_t operator[](uint32_t doc) const { return map_.empty() ? base_ + doc : map_[doc]; }
  uint32_t size() const { return count_; }
  uint32_t live_count() const { return live_; }
  bool all_live() const { return map_.empty(); }

 private:
  uint32_t count_;
  uint32_t base_;
  uint32_t live_;
  std::vector<uint32_t> map_;  // empty: all documents are live, in order
};

}  // namespace quarry
