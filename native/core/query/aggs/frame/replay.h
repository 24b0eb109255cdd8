// Documents that are set aside during a search and visited again after its last document.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "query/aggs/frame/aggregator.h"

namespace quarry {

/// A document of the view (base + docId) and its bucket.
struct PutAside {
  uint32_t doc = 0;
  uint32_t bucket = 0;
  float score = 0;
};

/// About what it takes to put one in its place.
inline constexpr uint64_t kNanosPerPutAside = 20;

/// Sorts `list` by document and calls `start(leaf)`, then `batch(docs)` for each segment with the
/// documents of it: spans of at most kAggBatchDocs entries, `doc` counted from the segment's start.
/// Ends early when the budget of the search ends.
template <typename Start, typename Batch>
void replay(const std::vector<Leaf>& leaves, std::vector<PutAside>& list, Start&& start,
            Batch&& batch) {
  if (leaves.empty() || leaves[0].stop->out_of_budget_within(kNanosPerPutAside * list.size()))
    return;
  std::sort(list.begin(), list.end(), [](const PutAside& a, const PutAside& b) {
    return a.doc != b.doc ? a.doc < b.doc : a.bucket < b.bucket;
  });
  size_t at = 0;
  for (const Leaf& leaf : leaves) {
    bool started = false;
    while (at < list.size() && list[at].doc - leaf.base < leaf.max_doc) {
      if (leaf.stop->out_of_budget_within(0)) return;
      if (!started) start(leaf);
      started = true;
      const size_t begin = at;
      for (; at < list.size() && at - begin < kAggBatchDocs; at++) {
        if (list[at].doc - leaf.base >= leaf.max_doc) break;
      }
      for (size_t i = begin; i < at; i++) list[i].doc -= leaf.base;
      batch(std::span<const PutAside>(list).subspan(begin, at - begin));
    }
  }
}

}  // namespace quarry
