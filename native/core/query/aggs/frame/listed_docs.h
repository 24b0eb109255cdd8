// The live documents of a rare term, segment by segment, as input of aggregations. Cached with the
// filters (query/cache/filter_cache.h) as long as the segments and their live documents stay the
// same.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "query/plan/compiler.h"
#include "query/plan/query.h"

namespace quarry {

/// Immutable; holds no reference to what it was created from.
class ListedDocs final : public JointEntry {
 public:
  /// Lists the documents of a single term; the lists are incomplete if `stop` expires.
  ListedDocs(Weight& weight, const std::vector<Leaf>& leaves, StopCheck& stop);
  /// The documents of `weight`, from the cache or new. New ones are cached at the second request,
  /// if several segments or deletions make that worthwhile. Null: `weight` is not a single term.
  static std::shared_ptr<const ListedDocs> find(const Compiler& compiler, Weight& weight,
                                                const std::vector<Leaf>& leaves, StopCheck& stop);

  /// False: the segment has too many matches and no list.
  bool has(const Leaf& leaf) const { return of_leaf_[leaf.ord].listed; }
  /// The documents of the segment, ascending.
  std::span<const uint32_t> of(const Leaf& leaf) const {
    return {docs_.get() + of_leaf_[leaf.ord].begin, of_leaf_[leaf.ord].count};
  }
  size_t bytes() const override;

 private:
  struct OfLeaf {
    uint32_t live = 0;  // live documents of the segment
    bool listed = false;
    size_t begin = 0;
    size_t count = 0;
  };
  /// Deletions of a segment only accumulate, so the live counts identify the state that the lists
  /// are of.
  bool is_of(const std::vector<Leaf>& leaves) const;

  std::vector<OfLeaf> of_leaf_;  // by Leaf::ord
  size_t room_ = 0;
  std::unique_ptr<uint32_t[]> docs_;
};

using ListedDocsPtr = std::shared_ptr<const ListedDocs>;

}  // namespace quarry
