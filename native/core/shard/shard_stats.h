// The counters of a shard, and its statistics at one moment.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <string_view>

#include "segment/segment.h"

namespace quarry {

/// Totals since the process started. Their names in the statistics JSON are kTotalNames.
enum class Total : uint8_t {
  kIndexed,
  kDeleted,
  kFailed,
  kNoops,
  kGets,
  kGetsMissing,
  kRefreshes,
  kFlushes,
  kMerges,
  kMergedDocs,
  kMergedBytes,
  kMergePausedNanos,
  kReplayed,
  kSearches,
  kSearchNanos,
  kFetches,
};
inline constexpr std::array<std::string_view, 16> kTotalNames = {
    "index_total",       "delete_total",       "index_failed",    "noop_update_total",
    "get_total",         "get_missing",        "refresh_total",   "flush_total",
    "merge_total",       "merge_docs",         "merge_bytes",     "merge_paused_ns",
    "recovery_replayed", "search_query_total", "search_query_ns", "search_fetch_total",
};

using ShardTotals = std::array<uint64_t, kTotalNames.size()>;

/// Relaxed atomics: the values are for display, not for decisions.
class ShardCounters {
 public:
  void add(Total total, uint64_t by = 1) {
    totals_[static_cast<size_t>(total)].fetch_add(by, std::memory_order_relaxed);
  }
  uint64_t get(size_t index) const { return totals_[index].load(std::memory_order_relaxed); }

 private:
  std::array<std::atomic<uint64_t>, kTotalNames.size()> totals_{};
};

/// A segment as listed by _segments.
struct SegmentInfo {
  uint64_t uid = 0;
  uint64_t bytes = 0;
  uint32_t docs = 0;
  uint32_t live_count = 0;
  bool on_disk = false;
  VectorUsage vectors{};
};

struct ShardStats {
  ShardTotals totals{};
  uint64_t docs = 0;
  uint64_t deleted_docs = 0;
  uint64_t segments = 0;
  uint64_t segments_in_memory = 0;
  uint64_t disk_bytes = 0;
  uint64_t memory_bytes = 0;  // segments in memory
  uint64_t memtable_docs = 0;
  uint64_t memtable_bytes = 0;
  uint64_t refreshed_below = 0;  // sequence numbers visible to searches
  uint64_t flushed_below = 0;    // sequence numbers in segments on disk
  VectorUsage vectors;           // of all segments

  void add(const ShardStats& other);
};

struct Manifest;
/// The statistics of a shard that has not been opened.
ShardStats manifest_stats(const Manifest& manifest);

}  // namespace quarry
