// The places of one term in the segments of a shard, and the number of its live documents there.
// Cached with the filters (query/cache/filter_cache.h) for a list of segments, so that a repeated
// word costs one look-up instead of one in the dictionary of each segment.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "query/cache/filter_cache.h"
#include "query/plan/live_count.h"
#include "query/plan/query.h"

namespace quarry {

/// One term in one segment; valid as long as the segment.
struct TermPlace {
  const SegmentField* field = nullptr;  // null: the segment lacks the term
  uint32_t ordinal = 0;
  TermInfo info;
};

/// One term in the segments of a shard; its frequencies are those over all shards.
class TermPlaces final : public JointEntry {
 public:
  /// `places`: by Leaf::ord.
  TermPlaces(uint64_t doc_freq, uint64_t total_term_freq, std::vector<TermPlace> places)
      : doc_freq_(doc_freq),
        total_term_freq_(total_term_freq),
        places_(std::move(places)),
        live_(places_.size()) {}

  uint64_t doc_freq() const { return doc_freq_; }
  uint64_t total_term_freq() const { return total_term_freq_; }
  const TermPlace& place(const Leaf& leaf) const { return places_[leaf.ord]; }
  const LiveCount& live_count(const Leaf& leaf) const { return live_[leaf.ord]; }

  size_t bytes() const override {
    return sizeof(TermPlaces) + places_.size() * (sizeof(TermPlace) + sizeof(LiveCount));
  }

 private:
  uint64_t doc_freq_;
  uint64_t total_term_freq_;
  std::vector<TermPlace> places_;
  std::vector<LiveCount> live_;
};

using TermPlacesPtr = std::shared_ptr<const TermPlaces>;

}  // namespace quarry
