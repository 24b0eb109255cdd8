#include "shard/shard_pin.h"

#include <mutex>
#include <utility>

#include "shard/shard.h"

namespace quarry {

/// The caller holds publish_mutex_. Also publishes a memtable that a failed refresh left frozen.
Status Shard::ready_for_pin() {
  if (stopping_.load()) return {ErrorType::kStore, "the index is closed"};
  return frozen_ == nullptr ? Status() : refresh_once().status();
}

/// The caller holds publish_mutex_ and write_mutex_. Subsequent writes go to another memtable.
void Shard::freeze() {
  if (active_->empty()) return;
  frozen_ = std::move(active_);
  active_ = std::make_unique<Memtable>(next_uid_++);
}

/// The caller holds publish_mutex_ and has published the frozen memtable, so the list contains
/// nothing newer than it.
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
    // The file exists: only files of segments that left the list are removed.
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
