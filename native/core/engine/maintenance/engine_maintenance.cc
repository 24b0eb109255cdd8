// Background work on threads of the caller: refresh, flush, merge, syncing and releasing the log.
#include <algorithm>

#include "engine/engine_impl.h"

namespace quarry {
namespace {

constexpr int64_t kNanosPerMilli = 1000000;
constexpr uint32_t kClosedAtOnce = 16;  // closing holds the lock that every search needs

}  // namespace

Result<bool> EngineImpl::refresh(ShardId id) {
  QUARRY_ASSIGN_OR_RETURN(const OpenShard open, find_shard(id));
  return open.shard->refresh();
}

Status EngineImpl::flush(ShardId id) {
  QUARRY_ASSIGN_OR_RETURN(const OpenShard open, find_shard(id));
  QUARRY_RETURN_IF_ERROR(open.index->save_mapping());
  QUARRY_RETURN_IF_ERROR(open.shard->flush());
  // Also releases the open log file once nothing in it is needed, so that deleted documents are
  // removed from the log as well.
  return release_log(true);
}

Result<bool> EngineImpl::merge(ShardId id, uint32_t max_segments) {
  QUARRY_ASSIGN_OR_RETURN(const OpenShard open, find_shard(id));
  return open.shard->merge(max_segments);
}

/// Releases the log below the oldest operation that is durable only there.
Status EngineImpl::release_log(bool all) {
  // Read first: records appended from here on are not considered below, and must stay.
  uint64_t needed = std::min(log_->position(), indices_.first_held());
  for (const std::shared_ptr<Index>& index : indices_.open()) {
    needed = std::min(needed, index->first_unsaved());
    for (uint32_t i = 0; i < index->shard_count(); i++) {
      needed = std::min(needed, index->shard(i).first_unflushed());
    }
  }
  return log_->release(needed, all);
}

template <typename Wanted>
std::vector<ShardId> EngineImpl::list_shards(Wanted wanted) const {
  std::vector<ShardId> shards;
  for (const std::shared_ptr<Index>& index : indices_.open()) {
    for (uint32_t i = 0; i < index->shard_count(); i++) {
      Shard& shard = index->shard(i);
      if (shard.needs_recovery() || shard.damaged()) continue;
      if (wanted(*index, shard)) shards.push_back({index->number(), i});
    }
  }
  return shards;
}

std::vector<ShardId> EngineImpl::dirty_shards() {
  return list_shards([](const Index&, Shard& shard) {
    shard.prune();
    return shard.dirty();
  });
}

std::vector<ShardId> EngineImpl::flush_candidates() {
  // After a failed sync no checkpoint can succeed.
  if (write_state().type() == ErrorType::kStore) return {};
  const uint64_t position = log_->position();
  // Flush before writes have to be refused: a flush frees the disk space of the log.
  const bool disk_is_short = !space_->admit(space_->reserve(), log_->owed()).ok();
  // A log that is too long is shortened at its old end.
  uint64_t old = 0;
  if (log_->unreleased() > options_.wal_flush_bytes) old = position - options_.wal_flush_bytes / 2;
  if (disk_is_short) old = position;
  std::vector<ShardId> shards = list_shards([old](const Index& index, const Shard& shard) {
    if (shard.first_unflushed() < old || shard.unflushed_bytes() >= shard.flush_from()) return true;
    return shard.number() == 0 && index.first_unsaved() < old;
  });
  add_unused(shards);
  return shards;
}

/// Adds the shards of unused indexes, so that these can be closed after a flush.
void EngineImpl::add_unused(std::vector<ShardId>& shards) const {
  const int64_t idle_ns = int64_t{options_.idle_close_ms} * kNanosPerMilli;
  for (const std::shared_ptr<Index>& index : indices_.unused(idle_ns)) {
    const bool unsaved = index->first_unsaved() != Memtable::kNoPosition;
    for (uint32_t i = 0; i < index->shard_count(); i++) {
      const Shard& shard = index->shard(i);
      if (shard.needs_recovery() || shard.damaged()) continue;
      const bool owes = shard.first_unflushed() != Memtable::kNoPosition || (unsaved && i == 0);
      const bool listed = std::any_of(shards.begin(), shards.end(), [&](ShardId id) {
        return id.index == index->number() && id.shard == i;
      });
      if (owes && !listed) shards.push_back({index->number(), i});
    }
  }
}

std::vector<ShardId> EngineImpl::unflushed_shards() {
  return list_shards([](const Index&, const Shard& shard) {
    return shard.first_unflushed() != Memtable::kNoPosition;
  });
}

uint32_t EngineImpl::close_idle() {
  return indices_.close_unused(int64_t{options_.idle_close_ms} * kNanosPerMilli, kClosedAtOnce);
}

std::vector<ShardId> EngineImpl::merge_candidates() {
  if (write_state().type() == ErrorType::kStore) return {};
  return list_shards([](const Index&, const Shard& shard) { return shard.wants_merge(); });
}

std::vector<std::string> EngineImpl::take_warnings() {
  std::vector<std::string> warnings = indices_.take_news();
  for (const std::shared_ptr<Index>& index : indices_.open()) {
    for (uint32_t i = 0; i < index->shard_count(); i++) {
      for (std::string& warning : index->shard(i).take_warnings()) {
        warnings.push_back("index [" + index->name() + "]: " + std::move(warning));
      }
    }
  }
  return warnings;
}

void EngineImpl::abort_merges() {
  for (const std::shared_ptr<Index>& index : indices_.open()) {
    for (uint32_t i = 0; i < index->shard_count(); i++) index->shard(i).abort_merges();
  }
}

Result<WalSync> EngineImpl::sync_wal() {
  QUARRY_ASSIGN_OR_RETURN(const WalDurable durable, log_->sync());
  return WalSync{durable.position, durable.syncs};
}

Status EngineImpl::write_state() {
  // Includes failed syncs of other files, which the log has not encountered yet.
  QUARRY_RETURN_IF_ERROR(files_.failure());
  return log_->state();
}

}  // namespace quarry
