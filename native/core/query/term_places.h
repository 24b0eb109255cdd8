// Where one term is in the segments of a shard, and how many of its documents are live there. Kept with the filters
// (query/filter_cache.h) for a list of segments, so that a word that is asked for again costs one look-up and not one in
// the dictionary of each segment.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "query/filter_cache.h"
#include "query/live_count.h"
#include "query/query.h"

namespace quarry {

/// Of one term and the segments of a shard; its frequencies are those of all shards.
class TermPlaces final : public JointEntry {
 public:
  struct Place {
    const SegmentField* field = nullptr;  // null: the segment lacks the term
    TermInfo info;
  };

  /// `ordinals`: by Leaf::ord, as in TermState.
  TermPlaces(uint64_t doc_freq, uint64_t total_term_freq, std::vector<uint32_t> ordinals,
             std::vector<Place> places)
      : doc_freq_(doc_freq),
        total_term_freq_(total_term_freq),
        ordinals_(std::move(ordinals)),
        places_(std::move(places)),
        live_(places_.size()) {}

  uint64_t doc_freq() const { return doc_freq_; }
  uint64_t total_term_freq() const { return total_term_freq_; }
  const std::vector<uint32_t>& ordinals() const { return ordinals_; }
  /// Valid as long as the segment.
  const Place& place(const Leaf& leaf) const { return places_[leaf.ord]; }
  const LiveCount& live_count(const Leaf& leaf) const { return live_[leaf.ord]; }

  size_t bytes() const override {
    return sizeof(TermPlaces) + ordinals_.capacity() * sizeof(uint32_t) +
           places_.size() * (sizeof(Place) + sizeof(LiveCount));
  }

 private:
  uint64_t doc_freq_;
  uint64_t total_term_freq_;
  std::vector<uint32_t> ordinals_;
  std::vector<Place> places_;
  std::vector<LiveCount> live_;
};

using TermPlacesPtr = std::shared_ptr<const TermPlaces>;

}  // namespace quarry
