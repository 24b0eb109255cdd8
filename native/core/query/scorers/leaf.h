// The state of a segment that scorers need.
#pragma once

#include <cstdint>
#include <memory>

#include "base/bitset.h"
#include "query/plan/search.h"
#include "query/plan/search_progress.h"

namespace quarry {

/// Steps of StopCheck::step() for a block of postings that is scored or skipped: a look at the
/// clock costs as much as some of them.
inline constexpr uint32_t kStepsPerBlock = 64;

/// One segment of the shard under search.
struct Leaf {
  const Segment* segment = nullptr;
  const std::shared_ptr<const Segment>* handle = nullptr;  // for caches that outlive the search
  const Bitset* live = nullptr;                            // null: every document is live
  uint32_t live_count = 0;
  uint32_t base = 0;
  uint32_t ord = 0;  // index into ShardView::segments
  uint32_t max_doc = 0;
  WorkCounters* counters = nullptr;
  StopCheck* stop = nullptr;  // of the search; never null in the leaves of make_leaves()
};

}  // namespace quarry
