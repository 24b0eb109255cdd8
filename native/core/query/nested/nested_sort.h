// The nested documents whose values a sort key reads, for each document of the search.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "query/nested/nested_space.h"
#include "query/plan/compiler.h"
#include "query/plan/plan.h"

namespace quarry {

/// One per sort key; not thread-safe.
class NestedSortDocs {
 public:
  /// `levels`: from the outermost path to the one whose documents have the field.
  static Result<std::shared_ptr<NestedSortDocs>> make(Compiler& compiler,
                                                      const std::vector<NestedSortLevel>& levels);

  void start_leaf(const Leaf& leaf);
  /// Calls take(nested document) for those inside `doc`, ascending, until as many as the limit
  /// allows returned true: they have a value.
  template <typename Take>
  void each(uint32_t doc, Take take) const {
    if (docs_ == nullptr) return;
    uint32_t taken = 0;
    uint32_t nested = docs_->next(first_inside(*nested_, doc));
    for (; nested < doc && taken < most_; nested = docs_->next(nested + 1)) {
      if (take(nested)) taken++;
    }
  }

 private:
  struct Level {
    uint32_t level = 0;
    WeightPtr filter;  // null: all documents of the level
  };

  bool add_level(const Leaf& leaf, const Level& level, bool first);

  const Mapping* mapping_ = nullptr;
  std::vector<Level> levels_;
  uint32_t most_ = UINT32_MAX;  // of the innermost level, whichever level says it
  // Of the current segment.
  const Segment* segment_ = nullptr;
  const NestedDocs* nested_ = nullptr;
  const Bitset* docs_ = nullptr;  // null: none
  Bitset kept_;                   // docs_, if filters leave some out
};

}  // namespace quarry
