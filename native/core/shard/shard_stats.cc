#include "shard/shard_stats.h"

#include "shard/shard.h"

namespace quarry {

void ShardStats::add(const ShardStats& other) {
  for (size_t i = 0; i < totals.size(); i++) totals[i] += other.totals[i];
  docs += other.docs;
  deleted_docs += other.deleted_docs;
  segments += other.segments;
  segments_in_memory += other.segments_in_memory;
  disk_bytes += other.disk_bytes;
  memory_bytes += other.memory_bytes;
  memtable_docs += other.memtable_docs;
  memtable_bytes += other.memtable_bytes;
  vectors.add(other.vectors);
}

ShardStats manifest_stats(const Manifest& manifest) {
  ShardStats stats;
  for (const ManifestSegment& segment : manifest.segments) {
    stats.docs += segment.live_count;
    stats.deleted_docs += segment.docs - segment.live_count;
    stats.segments++;
    stats.disk_bytes += segment.bytes;
    stats.vectors.add(segment.vectors);
  }
  stats.flushed_below = manifest.covered;
  stats.refreshed_below = manifest.covered;
  return stats;
}

/// A shard that was not used yet is described by its manifest, so that statistics open no shard.
std::vector<SegmentInfo> Shard::segments() const {
  if (!is_open_.load(std::memory_order_acquire)) return listed_;
  std::vector<SegmentInfo> infos;
  const std::lock_guard lock(view_mutex_);
  for (const SegmentEntry& entry : view_->entries) {
    infos.push_back({entry.uid, entry.segment->bytes(), entry.segment->max_doc(), entry.live_count,
                     entry.on_disk(), entry.segment->vector_usage()});
  }
  return infos;
}

std::vector<std::string> Shard::take_warnings() {
  if (!has_warnings_.exchange(false)) return {};
  const std::lock_guard lock(write_mutex_);
  return std::move(warnings_);
}

ShardStats Shard::stats() const {
  ShardStats stats;
  for (const SegmentInfo& segment : segments()) {
    stats.docs += segment.live_count;
    stats.deleted_docs += segment.docs - segment.live_count;
    stats.segments++;
    if (!segment.on_disk) stats.segments_in_memory++;
    stats.vectors.add(segment.vectors);
    (segment.on_disk ? stats.disk_bytes : stats.memory_bytes) += segment.bytes;
  }
  stats.flushed_below = flushed_below_.load();
  for (size_t i = 0; i < stats.totals.size(); i++) stats.totals[i] = counters_.get(i);
  const std::lock_guard lock(write_mutex_);
  stats.memtable_docs = active_->live_count();
  stats.memtable_bytes = active_->memory_bytes();
  stats.refreshed_below = refreshed_below_;
  return stats;
}

}  // namespace quarry
