// Maps old document numbers to new ones without gaps; deleted documents are left out.
#pragma once

#include <cstdint>
#include <vector>

#include "base/bitset.h"

namespace quarry {

/// The new number of a deleted document.
inline constexpr uint32_t kDeletedDoc = UINT32_MAX;

/// Preserves the order of documents. Immutable.
class DocMap {
 public:
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
  std::vector<uint32_t> map_;  // empty: no document is deleted
};

}  // namespace quarry
