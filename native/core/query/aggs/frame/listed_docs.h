// The live documents of a term, segment by segment, where they are few: what aggregations of a word are made of. Kept
// with the filters (query/cache/filter_cache.h) for as long as the segments and their live documents stay the same.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "query/plan/compiler.h"
#include "query/plan/query.h"

namespace quarry {

/// Immutable once it is made; holds no part of what it was made from.
class ListedDocs final : public JointEntry {
 public:
  /// Of a lone term. Fewer when `stop` says so.
  ListedDocs(Weight& term, const std::vector<Leaf>& leaves, StopCheck& stop);
  /// Those of `weight`, found or made; kept when they are wanted for the second time and several segments or deletions
  /// make it worth while. Null: it is no lone term.
  static std::shared_ptr<const ListedDocs> find(const Compiler& compiler, Weight& weight,
                                                const std::vector<Leaf>& leaves, StopCheck& stop);

  /// False: they are many, and listed nowhere.
  bool has(const Leaf& leaf) const { return of_leaf_[leaf.ord].listed; }
  /// Ascending.
  std::span<const uint32_t> of(const Leaf& leaf) const {
    return {docs_.get() + of_leaf_[leaf.ord].begin, of_leaf_[leaf.ord].count};
  }
  size_t bytes() const override;

 private:
  struct OfLeaf {
    uint32_t live = 0;  // documents of the segment
    bool listed = false;
    size_t begin = 0;
    size_t count = 0;
  };
  /// Deletions of a segment only grow, so the numbers of live documents tell which of them this has seen.
  bool is_of(const std::vector<Leaf>& leaves) const;

  std::vector<OfLeaf> of_leaf_;  // by Leaf::ord
  size_t room_ = 0;
  std::unique_ptr<uint32_t[]> docs_;
};

using ListedDocsPtr = std::shared_ptr<const ListedDocs>;

}  // namespace quarry
