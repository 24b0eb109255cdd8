// Publishing: the memtable becomes a segment in memory, and a new snapshot replaces the current
// one.
#include <algorithm>
#include <utility>

#include "base/kill_point.h"
#include "segment/segment_merger.h"
#include "shard/merge_policy.h"
#include "shard/shard.h"

namespace quarry {

Result<bool> Shard::refresh() {
  QUARRY_RETURN_IF_ERROR(ensure_open());
  if (needs_recovery_.load()) {
    return Status(ErrorType::kNotReady, "shard [" + std::to_string(number_) + "] is recovering");
  }
  const std::lock_guard lock(publish_mutex_);
  return refresh_once();
}

/// Publishes one memtable: the one that a failed refresh left frozen, or else the active one.
Result<bool> Shard::refresh_once() {
  std::vector<SegmentEntry> entries;
  {
    const std::lock_guard lock(write_mutex_);
    if (frozen_ == nullptr) {
      if (active_->empty()) return false;
      frozen_ = std::move(active_);
      active_ = std::make_unique<Memtable>(next_uid_++);
    }
    entries = current_->entries;
  }
  // No other thread changes the list or drops frozen_ while publish_mutex_ is held.
  const uint32_t live_count = frozen_->live_count();
  SegmentEntry added;
  if (live_count > 0) {
    QUARRY_ASSIGN_OR_RETURN(SegmentImage image, frozen_->build());
    QUARRY_ASSIGN_OR_RETURN(added.segment, Segment::open(std::move(image)));
    const std::shared_ptr<const Mapping> mapping = index_.mapping();
    QUARRY_ASSIGN_OR_RETURN(added.segment,
                            sort_segment(std::move(added.segment), mapping->context().sort));
    added.live_count = live_count;
    added.uid = frozen_->uid();
  }
  QUARRY_KILL_POINT(*node_.files, "before segment publish");
  apply_deletes(entries, frozen_->older());
  QUARRY_RETURN_IF_ERROR(verify_read(entries));
  if (live_count > 0) entries.push_back(std::move(added));
  publish(std::move(entries), true);
  QUARRY_KILL_POINT(*node_.files, "after segment publish");
  counters_.add(Total::kRefreshes);
  return true;
}

/// The caller holds write_mutex_. Adds warnings for the damage of segments that were not in the
/// list before.
void Shard::warn_of_damage(const ShardSnapshot& next) {
  for (const SegmentEntry& entry : next.entries) {
    const std::string& damage = entry.segment->vector_damage();
    const bool known = std::any_of(current_->entries.begin(), current_->entries.end(),
                                   [&](const SegmentEntry& old) { return old.uid == entry.uid; });
    if (damage.empty() || known) continue;
    warnings_.push_back("segment [" + segment_files_.dir() + "/seg-" +
                        std::to_string(entry.file_number) + "]: " + damage +
                        "; its vectors are compared one by one until it is written again");
    has_warnings_.store(true);
  }
}

/// The caller holds publish_mutex_. `drop_frozen`: the entries contain the documents of frozen_.
void Shard::publish(std::vector<SegmentEntry> entries, bool drop_frozen) {
  wants_merge_.store(choose_merge(merge_candidates(entries)).has_value());

  std::unique_ptr<Memtable> dropped;  // freed after the locks are released
  const int64_t now_ms = node_.clock->wall_ms();
  const int64_t now_ns = node_.clock->steady_ns();
  const std::lock_guard lock(write_mutex_);
  std::shared_ptr<const ShardSnapshot> next =
      make_snapshot(current_->view.generation + 1, std::move(entries));
  documents_ = 0;
  for (const SegmentEntry& entry : next->entries) documents_ += entry.segment->max_doc();
  if (drop_frozen) {
    for (const IdMap::Entry& entry : frozen_->ids().entries()) {
      if (entry.state.kind != IdState::Kind::kDeleted) continue;
      tombstones_.set(entry.id, {entry.state.version, entry.state.deleted_at_ms});
    }
    if (frozen_->first_position() != Memtable::kNoPosition) {
      refreshed_below_ = std::max(refreshed_below_, frozen_->max_seq_no() + 1);
      unflushed_.push_back({frozen_->max_seq_no() + 1, frozen_->first_position()});
    }
    dropped = std::move(frozen_);
  }
  warn_of_damage(*next);
  tombstones_.prune(now_ms);
  uint64_t left_heap = 0;
  for (const SegmentEntry& entry : current_->entries) {
    const bool stays =
        std::any_of(next->entries.begin(), next->entries.end(),
                    [&](const SegmentEntry& other) { return other.uid == entry.uid; });
    if (entry.on_disk() && !stays) garbage_.push_back(entry.file_number);
    if (!entry.on_disk() && !stays) left_heap += entry.segment->bytes();
  }
  current_ = next;
  update_marks();
  const std::lock_guard view_lock(view_mutex_);
  replaced_.prune(now_ns);
  replaced_.add(std::move(view_), now_ns + node_.snapshot_retention_ns, left_heap);
  view_ = std::move(next);
}

/// The caller holds publish_mutex_. `merged` replaces `inputs`, which were adjacent in the
/// published list when the merge began. Deletes since then are carried over.
void Shard::replace(std::span<const SegmentEntry> inputs, SegmentEntry merged) {
  const std::vector<SegmentEntry>& now = current_->entries;
  const bool sorted = !index_.mapping()->context().sort.empty();
  merged.live = carry_deletes(inputs, now, sorted ? merged.segment.get() : nullptr);
  merged.live_count = merged.live == nullptr ? merged.segment->max_doc() : merged.live->count();
  const auto is_input = [&](const SegmentEntry& entry) {
    return std::any_of(inputs.begin(), inputs.end(),
                       [&](const SegmentEntry& input) { return input.uid == entry.uid; });
  };
  std::vector<SegmentEntry> entries;
  bool placed = false;
  for (const SegmentEntry& entry : now) {
    if (!is_input(entry)) {
      entries.push_back(entry);
    } else if (!placed) {
      entries.push_back(merged);
      placed = true;
    }
  }
  publish(std::move(entries), false);
}

}  // namespace quarry
