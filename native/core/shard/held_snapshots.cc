#include "shard/held_snapshots.h"

#include <utility>

namespace quarry {
namespace {

/// Calls `each(address, bytes)` for every part of a snapshot on the heap.
template <typename Each>
void for_each_part(const ShardSnapshot& snapshot, Each each) {
  constexpr uint64_t kDocsPerByte = 8;
  for (const SegmentEntry& entry : snapshot.entries) {
    if (!entry.on_disk()) each(entry.segment.get(), entry.segment->bytes());
    if (entry.live != nullptr) each(entry.live.get(), entry.segment->max_doc() / kDocsPerByte);
  }
}

}  // namespace

uint64_t HeldSnapshots::added_bytes(const ShardSnapshot& snapshot) const {
  uint64_t added = 0;
  if (held_.contains(snapshot.view.generation)) return added;
  for_each_part(snapshot, [&](const void* part, uint64_t bytes) {
    if (!holders_.contains(part)) added += bytes;
  });
  return added;
}

void HeldSnapshots::add(std::shared_ptr<const ShardSnapshot> snapshot) {
  Held& held = held_[snapshot->view.generation];
  if (held.count++ > 0) return;
  add_parts(*snapshot);
  held.snapshot = std::move(snapshot);
}

void HeldSnapshots::release(uint64_t generation) {
  const auto found = held_.find(generation);
  if (found == held_.end() || --found->second.count > 0) return;
  remove_parts(*found->second.snapshot);
  held_.erase(found);
}

std::shared_ptr<const ShardSnapshot> HeldSnapshots::find(uint64_t generation) const {
  const auto found = held_.find(generation);
  return found == held_.end() ? nullptr : found->second.snapshot;
}

void HeldSnapshots::add_parts(const ShardSnapshot& snapshot) {
  for_each_part(snapshot, [this](const void* part, uint64_t bytes) {
    if (holders_[part]++ == 0) heap_bytes_ += bytes;
  });
}

void HeldSnapshots::remove_parts(const ShardSnapshot& snapshot) {
  for_each_part(snapshot, [this](const void* part, uint64_t bytes) {
    const auto holder = holders_.find(part);
    if (--holder->second > 0) return;
    holders_.erase(holder);
    heap_bytes_ -= bytes;
  });
}

}  // namespace quarry
