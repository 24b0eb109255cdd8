// Creates the leaves of a shard view.
#include "query/plan/leaves.h"

namespace quarry {

std::vector<Leaf> make_leaves(const ShardView& view, SearchProgress& progress) {
  std::vector<Leaf> leaves;
  leaves.reserve(view.segments.size());
  for (uint32_t ord = 0; ord < view.segments.size(); ord++) {
    const SegmentView& segment = view.segments[ord];
    Leaf& leaf = leaves.emplace_back();
    leaf.segment = segment.segment.get();
    leaf.handle = &segment.segment;
    leaf.live = segment.live.get();
    leaf.live_count = segment.live == nullptr ? segment.segment->max_doc() : segment.live_count;
    leaf.base = segment.base;
    leaf.ord = ord;
    leaf.max_doc = segment.segment->max_doc();
    leaf.counters = &progress.counters;
    leaf.stop = &progress.stop;
  }
  return leaves;
}

}  // namespace quarry
