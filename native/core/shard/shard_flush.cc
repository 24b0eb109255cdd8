// Checkpoints and merges: segments from memory to disk, neighbours into one, and the manifest that says so.
#include <algorithm>
#include <numeric>
#include <utility>

#include "segment/segment_merger.h"
#include "shard/merge_policy.h"
#include "shard/shard.h"

namespace quarry {
namespace {

size_t first_in_memory(std::span<const SegmentEntry> entries) {
  const auto found = std::find_if(entries.begin(), entries.end(),
                                  [](const SegmentEntry& entry) { return !entry.on_disk(); });
  return static_cast<size_t>(found - entries.begin());
}

uint64_t bytes_of(std::span<const SegmentEntry> entries) {
  return std::accumulate(
      entries.begin(), entries.end(), uint64_t{0},
      [](uint64_t sum, const SegmentEntry& entry) { return sum + entry.segment->bytes(); });
}

Status not_running() { return {ErrorType::kStore, "the index is closed"}; }

}  // namespace

Status Shard::flush() {
  QUARRY_RETURN_IF_ERROR(ensure_open());
  if (needs_recovery_.load()) {
    return {ErrorType::kNotReady, "shard [" + std::to_string(number_) + "] is recovering"};
  }
  const std::lock_guard lock(maintenance_mutex_);
  return flush_now();
}

/// Under maintenance_mutex_.
Status Shard::flush_now() {
  if (stopping_.load()) return not_running();
  std::vector<SegmentEntry> entries;
  uint64_t covered = 0;
  {
    const std::lock_guard lock(publish_mutex_);
    // The second round is for a memtable that an earlier refresh left frozen.
    for (int round = 0; round < 2; round++) QUARRY_RETURN_IF_ERROR(refresh_once().status());
    const std::lock_guard write_lock(write_mutex_);
    if (unflushed_.empty()) return {};
    entries = current_->entries;
    covered = refreshed_below_;
  }
  const std::span<const SegmentEntry> memory =
      std::span(entries).subspan(first_in_memory(entries));
  if (!memory.empty()) QUARRY_RETURN_IF_ERROR(flush_memory(memory));
  QUARRY_RETURN_IF_ERROR(write_manifest(covered));
  counters_.add(Total::kFlushes);
  const std::lock_guard write_lock(write_mutex_);
  std::erase_if(unflushed_, [covered](const Unflushed& item) { return item.below <= covered; });
  update_marks();
  return {};
}

Status Shard::flush_memory(std::span<const SegmentEntry> entries) {
  QUARRY_ASSIGN_OR_RETURN(SegmentEntry written, write_segment(entries));
  const std::lock_guard lock(publish_mutex_);
  replace(entries, std::move(written));
  return {};
}

/// One segment on disk with the live documents of all inputs. A single whole segment is written as it is.
Result<SegmentEntry> Shard::write_segment(std::span<const SegmentEntry> inputs) {
  SegmentEntry entry;
  {
    const std::lock_guard lock(write_mutex_);
    entry.uid = next_uid_++;
  }
  entry.file_number = next_file_number_++;
  const Segment& first = *inputs.front().segment;
  if (inputs.size() == 1 && inputs.front().deleted() == 0) {
    QUARRY_ASSIGN_OR_RETURN(entry.segment,
                            segment_files_.write(entry.file_number, first.data_bytes(),
                                                 first.sidx_bytes(), first.ids_bytes()));
  } else {
    QUARRY_ASSIGN_OR_RETURN(const SegmentImage image,
                            merge_segments(merge_inputs(inputs), &stopping_));
    QUARRY_ASSIGN_OR_RETURN(entry.segment, segment_files_.write(entry.file_number, image.data,
                                                                image.sidx, image.ids));
  }
  file_numbers_.push_back(entry.file_number);
  return entry;
}

/// Makes the published segments on disk, with their deletes, the state that a restart begins with.
/// `covered`: operations below this sequence number are all in them.
Status Shard::write_manifest(uint64_t covered) {
  Manifest manifest;
  manifest.covered = covered;
  {
    const std::lock_guard lock(write_mutex_);
    for (const SegmentEntry& entry : current_->entries) {
      if (!entry.on_disk()) continue;
      manifest.segments.push_back({entry.file_number, entry.segment->bytes(),
                                   entry.segment->max_doc(), entry.live_count, entry.live});
    }
    for (const auto& [id, tombstone] : tombstones_.all()) {
      manifest.tombstones.emplace_back(id, tombstone);
    }
  }
  manifest.next_file_number = next_file_number_;
  QUARRY_RETURN_IF_ERROR(index_.save_mapping());
  // The live bits may hold deletes of operations above `covered`. These must not be durable before the
  // documents that replace the deleted ones are.
  QUARRY_RETURN_IF_ERROR(node_.log->sync().status());
  const std::string path = segment_files_.dir() + "/MANIFEST";
  QUARRY_RETURN_IF_ERROR(node_.files->write_atomically(path, encode_manifest(manifest)));
  flushed_below_.store(covered);

  std::vector<uint64_t> kept;
  for (const ManifestSegment& segment : manifest.segments) kept.push_back(segment.file_number);
  for (const uint64_t number : file_numbers_) {
    if (std::find(kept.begin(), kept.end(), number) != kept.end()) continue;
    // What cannot be removed now is removed when the shard is opened again.
    static_cast<void>(segment_files_.remove(number));
  }
  file_numbers_ = std::move(kept);
  return {};
}

Result<bool> Shard::merge(uint32_t max_segments) {
  QUARRY_RETURN_IF_ERROR(ensure_open());
  if (needs_recovery_.load()) {
    return Status(ErrorType::kNotReady, "shard [" + std::to_string(number_) + "] is recovering");
  }
  const std::lock_guard lock(maintenance_mutex_);
  if (max_segments > 0) QUARRY_RETURN_IF_ERROR(flush_now());
  return merge_once(max_segments);
}

/// Under maintenance_mutex_.
Result<bool> Shard::merge_once(uint32_t max_segments) {
  if (stopping_.load()) return not_running();
  std::shared_ptr<const ShardSnapshot> before;
  {
    const std::lock_guard lock(write_mutex_);
    before = current_;
  }
  std::vector<MergeCandidate> candidates;
  for (const SegmentEntry& entry : before->entries) {
    candidates.push_back({entry.segment->bytes(), entry.segment->max_doc(), entry.live_count,
                          entry.on_disk()});
  }
  const auto range = max_segments == 0 ? choose_merge(candidates)
                                       : choose_forced_merge(candidates, max_segments);
  if (!range) return false;
  const std::span<const SegmentEntry> inputs =
      std::span(before->entries).subspan(range->begin, range->end - range->begin);
  const uint64_t bytes = bytes_of(inputs);
  const bool to_disk = inputs.front().on_disk();
  SegmentEntry merged;
  if (to_disk) {
    QUARRY_RETURN_IF_ERROR(node_.space->admit(bytes, 0));
    QUARRY_ASSIGN_OR_RETURN(merged, write_segment(inputs));
  } else {
    QUARRY_ASSIGN_OR_RETURN(SegmentImage image, merge_segments(merge_inputs(inputs), &stopping_));
    QUARRY_ASSIGN_OR_RETURN(merged.segment, Segment::open(std::move(image)));
    const std::lock_guard lock(write_mutex_);
    merged.uid = next_uid_++;
  }
  counters_.add(Total::kMerges);
  counters_.add(Total::kMergedDocs, merged.segment->max_doc());
  counters_.add(Total::kMergedBytes, merged.segment->bytes());
  {
    const std::lock_guard lock(publish_mutex_);
    replace(inputs, std::move(merged));
  }
  if (to_disk) QUARRY_RETURN_IF_ERROR(write_manifest(flushed_below_.load()));
  return true;
}

}  // namespace quarry
