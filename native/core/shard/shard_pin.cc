#include "shard/shard_pin.h"

#include <mutex>
#include <utility>

#include "shard/shard.h"

namespace quarry {

/// Also that nothing is left of an earlier refresh that failed. Under publish_mutex_.
Status Shard::ready_for_pin() {
  if (stopping_.load()) return {ErrorType::kStore, "the index is closed"};
  return frozen_ == nullptr ? Status() : refresh_once().status();
}

/// Under publish_mutex_ and write_mutex_: what is written from here on goes to another memtable.
void Shard::freeze() {
  if (active_->empty()) return;
  frozen_ = std::move(active_);
  active_ = std::make_unique<Memtable>(next_uid_++);
}

/// Under publish_mutex_, after the frozen memtable was published: nothing newer is in the list.
ShardPin Shard::pinned() {
  ShardPin pin;
  std::vector<SegmentEntry> entries;
  {
    const std::lock_guard lock(write_mutex_);
    entries = current_->entries;
    for (const auto& [id, tombstone] : tombstones_.all()) {
      pin.manifest.tombstones.emplace_back(id, tombstone);
    }
  }
  uint64_t next = next_file_number_.load();
  for (const SegmentEntry& entry : entries) {
    const uint64_t number = entry.on_disk() ? entry.file_number : next++;
    pin.manifest.segments.push_back({number, entry.segment->bytes(), entry.segment->max_doc(),
                                     entry.live_count, entry.live, entry.segment->vector_usage()});
    pin.segments.push_back(entry.segment);
    // Still there: only files that have left the list are removed.
    const bool sound = entry.on_disk() && entry.segment->vector_damage().empty();
    pin.coded_vectors.push_back(sound ? segment_files_.map_vectors(entry.file_number) : nullptr);
  }
  pin.manifest.next_file_number = next;
  return pin;
}

Result<std::vector<ShardPin>> Shard::pin(std::span<Shard* const> shards,
                                         const std::function<void()>& at_that_moment) {
  for (Shard* shard : shards) QUARRY_RETURN_IF_ERROR(shard->ready_for_writes());
  std::vector<std::unique_lock<std::mutex>> publishing;
  for (Shard* shard : shards) publishing.emplace_back(shard->publish_mutex_);
  for (Shard* shard : shards) QUARRY_RETURN_IF_ERROR(shard->ready_for_pin());
  {
    std::vector<std::unique_lock<std::mutex>> writing;
    for (Shard* shard : shards) writing.emplace_back(shard->write_mutex_);
    for (Shard* shard : shards) shard->freeze();
    at_that_moment();
  }
  std::vector<ShardPin> pins;
  for (Shard* shard : shards) {
    if (shard->frozen_ != nullptr) QUARRY_RETURN_IF_ERROR(shard->refresh_once().status());
    pins.push_back(shard->pinned());
  }
  return pins;
}

}  // namespace quarry
