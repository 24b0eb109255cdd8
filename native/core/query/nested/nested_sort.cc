#include "query/nested/nested_sort.h"

#include <algorithm>
#include <utility>

#include "query/nested/nested_query.h"

namespace quarry {

Result<std::shared_ptr<NestedSortDocs>> NestedSortDocs::make(
    Compiler& compiler, const std::vector<NestedSortLevel>& levels) {
  auto docs = std::make_shared<NestedSortDocs>();
  docs->mapping_ = &compiler.mapping();
  const uint32_t before = compiler.level();
  Status status;
  for (const NestedSortLevel& given : levels) {
    Level level;
    level.level = docs->mapping_->nested_level(given.path);
    if (level.level == 0 || !is_inside(*docs->mapping_, level.level, compiler.level())) {
      status = {ErrorType::kQueryShard,
                "[nested] failed to find nested object under path [" + given.path + "]"};
      break;
    }
    compiler.set_level(level.level);
    if (given.has_filter) {
      Result<WeightPtr> filter = compiler.compile_filter(given.filter);
      if (!filter.ok()) {
        status = compiler.error_of(filter.status());
        break;
      }
      level.filter = std::move(filter).value();
    }
    docs->most_ = std::min(docs->most_, given.max_children);
    docs->levels_.push_back(std::move(level));
  }
  compiler.set_level(before);
  QUARRY_RETURN_IF_ERROR(std::move(status));
  return docs;
}

void NestedSortDocs::start_leaf(const Leaf& leaf) {
  // Inner hits start the segment again for every document of the page.
  if (leaf.segment == segment_) return;
  segment_ = leaf.segment;
  nested_ = leaf.segment->nested();
  docs_ = nullptr;
  if (nested_ == nullptr) return;
  for (const Level& level : levels_) {
    if (!add_level(leaf, level, &level == &levels_.front())) {
      docs_ = nullptr;
      return;
    }
  }
}

/// Replaces docs_ by the documents of `level` that are inside them; all of the level if `first`.
bool NestedSortDocs::add_level(const Leaf& leaf, const Level& level, bool first) {
  const Bitset* all = docs_at(*mapping_, *nested_, level.level);
  if (all == nullptr) return false;
  const bool outer_filtered = !first && docs_ == &kept_;
  if (level.filter == nullptr && !outer_filtered) {
    docs_ = all;
    return true;
  }
  Bitset kept = *all;
  if (level.filter != nullptr) {
    Bitset matches(leaf.max_doc);
    if (const ScorerPtr scorer = level.filter->scorer(leaf, leaf.max_doc))
      set_matches(*scorer, *leaf.stop, matches);
    kept.intersect(matches);
  }
  if (outer_filtered) {
    // The documents that enclose those of the level, whether or not they are kept.
    const Level& outer = *(&level - 1);
    const Bitset* enclosing = docs_at(*mapping_, *nested_, outer.level);
    for (uint32_t doc = kept.next(0); doc < kept.size(); doc = kept.next(doc + 1)) {
      const uint32_t at = enclosing->next(doc);
      if (at >= enclosing->size() || !kept_.test(at)) kept.clear(doc);
    }
  }
  kept_ = std::move(kept);
  docs_ = &kept_;
  return true;
}

}  // namespace quarry
