#include "shard/tombstones.h"

namespace quarry {
namespace {

/// Pruning visits every tombstone, so it does not run at every refresh.
constexpr int64_t kPruneEveryMs = kTombstoneMs / 4;

bool is_old(const Tombstone& tombstone, int64_t now_ms) {
  return tombstone.deleted_at_ms + kTombstoneMs <= now_ms;
}

}  // namespace

void Tombstones::set(std::string_view id, const Tombstone& tombstone) {
  by_id_.insert_or_assign(std::string(id), tombstone);
}

void Tombstones::erase(std::string_view id) {
  const auto found = by_id_.find(id);
  if (found != by_id_.end()) by_id_.erase(found);
}

const Tombstone* Tombstones::find(std::string_view id, int64_t now_ms) const {
  const auto found = by_id_.find(id);
  if (found == by_id_.end() || is_old(found->second, now_ms)) return nullptr;
  return &found->second;
}

void Tombstones::prune(int64_t now_ms) {
  if (now_ms < next_prune_ms_) return;
  next_prune_ms_ = now_ms + kPruneEveryMs;
  std::erase_if(by_id_, [now_ms](const auto& item) { return is_old(item.second, now_ms); });
}

}  // namespace quarry
