// Numbers the terms of a field over the segments of a shard, so that the counts of segments add up
// without comparing text. Cached with the filters (query/cache/filter_cache.h) as long as the
// segments stay the same.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "query/plan/query.h"

namespace quarry {

class FilterCache;

/// Immutable. Numbers ascend with the terms.
class TermNumbering {
 public:
  /// What the cache has for these segments, or a new one when it was asked for before; null:
  /// neither, or `stop` expired.
  static std::shared_ptr<const TermNumbering> find(FilterCache* cache, std::string_view field,
                                                   const std::vector<Leaf>& leaves,
                                                   StopCheck& stop);

  uint32_t size() const { return static_cast<uint32_t>(places_.size()); }
  /// Numbers by ordinal of the segment; empty if it lacks the field.
  std::span<const uint32_t> numbers(const Leaf& leaf) const { return numbers_[leaf.ord]; }
  /// A segment that has the term, and the term's ordinal there.
  struct Place {
    uint32_t leaf = 0;
    uint32_t ordinal = 0;
  };
  Place place(uint32_t number) const { return places_[number]; }
  /// Documents of all segments that have the term, deleted ones included; 0 if the field is not
  /// indexed.
  uint32_t doc_freq(uint32_t number) const { return doc_freqs_[number]; }
  size_t bytes() const;

 private:
  static std::shared_ptr<const TermNumbering> make(std::string_view field,
                                                   const std::vector<Leaf>& leaves,
                                                   StopCheck& stop);
  bool is_of(const std::vector<Leaf>& leaves) const;

  std::vector<std::weak_ptr<const Segment>> segments_;
  std::vector<std::vector<uint32_t>> numbers_;  // by segment
  std::vector<Place> places_;                   // by number
  std::vector<uint32_t> doc_freqs_;
};

using TermNumberingPtr = std::shared_ptr<const TermNumbering>;

}  // namespace quarry
