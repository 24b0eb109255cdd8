// Merges of adjacent segments, separately in memory and on disk, so that a long merge of large
// segments does not block flushes.
#include <algorithm>
#include <numeric>
#include <utility>

#include "base/kill_point.h"
#include "base/page_cache.h"
#include "segment/segment_merger.h"
#include "shard/merge_policy.h"
#include "shard/shard.h"

namespace quarry {
namespace {

Status not_running() { return {ErrorType::kStore, "the index is closed"}; }

size_t count_on_disk(std::span<const SegmentEntry> entries) {
  const auto end = std::find_if(entries.begin(), entries.end(),
                                [](const SegmentEntry& entry) { return !entry.on_disk(); });
  return static_cast<size_t>(end - entries.begin());
}

uint64_t bytes_of(std::span<const SegmentEntry> entries) {
  return std::accumulate(
      entries.begin(), entries.end(), uint64_t{0},
      [](uint64_t sum, const SegmentEntry& entry) { return sum + entry.segment->bytes(); });
}

std::span<const SegmentEntry> part(std::span<const SegmentEntry> entries, const MergeRange& range) {
  return entries.subspan(range.begin, range.end - range.begin);
}

/// With more segments on disk than this, the merges of a shard are behind.
constexpr size_t kBehindSegments = size_t{3} * kSegmentsPerTier;

}  // namespace

Result<bool> Shard::merge(uint32_t max_segments) {
  if (max_segments > 0) {
    QUARRY_RETURN_IF_ERROR(flush());
    return merge_on_disk(max_segments);
  }
  QUARRY_RETURN_IF_ERROR(ready_for_writes());
  QUARRY_ASSIGN_OR_RETURN(const bool merged, merge_in_memory());
  if (merged) return true;
  return merge_on_disk(0);
}

std::shared_ptr<const ShardSnapshot> Shard::current() const {
  const std::lock_guard lock(write_mutex_);
  return current_;
}

/// Replaces `inputs` in the segment list, and updates the counters.
void Shard::swap_merged(std::span<const SegmentEntry> inputs, SegmentEntry merged) {
  counters_.add(Total::kMerges);
  counters_.add(Total::kMergedDocs, merged.segment->max_doc());
  counters_.add(Total::kMergedBytes, merged.segment->bytes());
  const std::lock_guard lock(publish_mutex_);
  replace(inputs, std::move(merged));
}

Result<bool> Shard::merge_in_memory() {
  const std::lock_guard lock(flush_mutex_);
  if (stopping_.load()) return not_running();
  const std::shared_ptr<const ShardSnapshot> before = current();
  const std::span<const SegmentEntry> memory =
      std::span(before->entries).subspan(count_on_disk(before->entries));
  const auto range = choose_merge(merge_candidates(memory));
  if (!range) return false;
  const std::span<const SegmentEntry> inputs = part(memory, *range);
  AbortFlag work(stopping_);  // no pauses: a flush would wait for them
  const std::shared_ptr<const Mapping> mapping = index_.mapping();
  QUARRY_ASSIGN_OR_RETURN(
      SegmentImage image,
      merge_segments(merge_inputs(inputs), &work, VectorEffort::kRows, mapping->context().sort));
  SegmentEntry merged;
  QUARRY_ASSIGN_OR_RETURN(merged.segment, Segment::open(std::move(image)));
  merged.uid = next_uid_++;
  swap_merged(inputs, std::move(merged));
  return true;
}

/// Runs at the pace of the node. Holds only merge_mutex_, which readers and writers do not need.
Result<SegmentEntry> Shard::write_merged(std::span<const SegmentEntry> inputs, bool behind) {
  if (node_.pace == nullptr) {
    AbortFlag work(abort_merges_);
    return write_segment(inputs, VectorEffort::kFull, work, [](uint64_t) {});
  }
  PacedWork work(*node_.pace, abort_merges_, behind);
  Result<SegmentEntry> merged = write_segment(inputs, VectorEffort::kFull, work,
                                              [&work](uint64_t bytes) { work.wrote(bytes); });
  counters_.add(Total::kMergePausedNanos, static_cast<uint64_t>(work.paused_ns()));
  return merged;
}

Result<bool> Shard::merge_on_disk(uint32_t max_segments) {
  const std::lock_guard lock(merge_mutex_);
  if (abort_merges_.load()) return not_running();
  const std::shared_ptr<const ShardSnapshot> before = current();
  const std::span<const SegmentEntry> disk =
      std::span(before->entries).first(count_on_disk(before->entries));
  const std::vector<MergeCandidate> candidates = merge_candidates(disk);
  const auto range =
      max_segments == 0 ? choose_merge(candidates) : choose_forced_merge(candidates, max_segments);
  if (!range) return false;
  const std::span<const SegmentEntry> inputs = part(disk, *range);
  QUARRY_RETURN_IF_ERROR(node_.space->admit(bytes_of(inputs), node_.owed_bytes->load()));
  QUARRY_ASSIGN_OR_RETURN(SegmentEntry merged, write_merged(inputs, disk.size() > kBehindSegments));
  QUARRY_KILL_POINT(*node_.files, "before merge swap");
  swap_merged(inputs, std::move(merged));
  QUARRY_KILL_POINT(*node_.files, "after merge swap");
  QUARRY_RETURN_IF_ERROR(write_manifest(flushed_below_.load()));
  if (bytes_of(inputs) >= kWorthReleasing) release_free_heap();
  return true;
}

}  // namespace quarry
