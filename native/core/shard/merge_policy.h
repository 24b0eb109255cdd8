// Which segments to merge next. Only neighbours are merged: documents stay in the order of their sequence
// numbers, which is what ties are broken by.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

namespace quarry {

struct MergeCandidate {
  uint64_t bytes = 0;
  uint32_t docs = 0;
  uint32_t live = 0;
  bool on_disk = false;
  bool unbuilt = false;  // has vectors whose codes and graph are still to be made
  bool loose = false;    // its sources take more bytes than after a merge on disk
};

/// Positions [begin, end) of the list.
struct MergeRange {
  size_t begin = 0;
  size_t end = 0;
  friend bool operator==(const MergeRange&, const MergeRange&) = default;
};

inline constexpr uint32_t kSegmentsPerTier = 10;
inline constexpr uint64_t kLargestMergedBytes = uint64_t{5} << 30;  // as Elasticsearch

/// Tiers by size, as Lucene's LogMergePolicy: a run of ten neighbours of about one size, smallest first; or
/// neighbours on disk whose vectors are unbuilt; or a segment that is mostly deleted documents. Segments in memory
/// and on disk are not mixed.
std::optional<MergeRange> choose_merge(std::span<const MergeCandidate> segments);

/// The next step down to `max_segments` (at least 1) of segments on disk: the cheapest neighbours; once the number is
/// right, unbuilt and loose ones, and a segment with deleted documents when only one is wanted.
std::optional<MergeRange> choose_forced_merge(std::span<const MergeCandidate> segments,
                                              uint32_t max_segments);

}  // namespace quarry
