// Work that the caller lends threads for: refresh, flush, merge, syncing and releasing the log.
#include <algorithm>

#include "engine/engine_impl.h"

namespace quarry {
namespace {

constexpr int64_t kNanosPerMilli = 1000000;
constexpr uint32_t kClosedAtOnce = 16;  // under the eyes of every search

}  // namespace

Result<bool> EngineImpl::refresh(ShardId id) {
  QUARRY_ASSIGN_OR_RETURN(const OpenShard open, find_shard(id));
  return open.shard->refresh();
}

Status EngineImpl::flush(ShardId id) {
  QUARRY_ASSIGN_OR_RETURN(const OpenShard open, find_shard(id));
  QUARRY_RETURN_IF_ERROR(open.index->save_mapping());
  QUARRY_RETURN_IF_ERROR(open.shard->flush());
  // Also the open file, once nothing in it is needed: what was forgotten is gone from the log as well.
  return release_log(true);
}

Result<bool> EngineImpl::merge(ShardId id, uint32_t max_segments) {
  QUARRY_ASSIGN_OR_RETURN(const OpenShard open, find_shard(id));
  return open.shard->merge(max_segments);
}

/// Everything below the oldest operation that only the log holds may go.
Status EngineImpl::release_log(bool all) {
  // Read first: what is appended from here on is not looked at below, and must stay.
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
  // Before writes have to be refused: a flush gives back the log's share of the disk.
  const bool disk_is_short = !space_->admit(space_->reserve(), log_->owed()).ok();
  // A log that is too long is shortened from its old end.
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

/// What nobody uses any more is written out, so that it can be closed.
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
  // Also what the log has not met yet.
  QUARRY_RETURN_IF_ERROR(files_.failure());
  return log_->state();
}

}  // namespace quarry
