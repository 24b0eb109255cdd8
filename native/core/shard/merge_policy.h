// Selects the segments to merge next. Only adjacent segments are merged, so that documents stay in
// the order of their sequence numbers, which breaks ties of the sort.
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
  bool unbuilt = false;  // has vectors without codes and graph
  bool loose = false;    // its sources would take fewer bytes after a merge on disk
};

/// Positions [begin, end) of the list.
struct MergeRange {
  size_t begin = 0;
  size_t end = 0;
  friend bool operator==(const MergeRange&, const MergeRange&) = default;
};

inline constexpr uint32_t kSegmentsPerTier = 10;
inline constexpr uint64_t kLargestMergedBytes = uint64_t{5} << 30;  // as in Elasticsearch

/// Tiers by size, as in Lucene's LogMergePolicy. Selects the smallest run of ten adjacent segments
/// of about the same size; otherwise adjacent segments on disk whose vectors are unbuilt; otherwise
/// a segment with many deleted documents. Segments in memory and on disk are not mixed.
std::optional<MergeRange> choose_merge(std::span<const MergeCandidate> segments);

/// The next step towards `max_segments` (at least 1) segments on disk: the adjacent segments with
/// the fewest bytes. Once the number is reached: unbuilt and loose segments, and a segment with
/// deleted documents when max_segments is 1.
std::optional<MergeRange> choose_forced_merge(std::span<const MergeCandidate> segments,
                                              uint32_t max_segments);

}  // namespace quarry
