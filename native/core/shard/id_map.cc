#include "shard/id_map.h"

namespace quarry {
namespace {

constexpr size_t kFirstSlots = 64;

}  // namespace

/// The position of `id` in the table, or the free position for it. The table must not be full.
uint32_t IdMap::probe(std::string_view id, uint64_t hash) const {
  const size_t mask = table_.size() - 1;
  size_t at = static_cast<size_t>(hash) & mask;
  while (table_[at] != 0) {
    const Entry& entry = entries_[table_[at] - 1];
    if (entry.hash == hash && entry.id == id) break;
    at = (at + 1) & mask;
  }
  return static_cast<uint32_t>(at);
}

const IdMap::Entry* IdMap::find(std::string_view id, uint64_t hash) const {
  if (table_.empty()) return nullptr;
  const uint32_t held = table_[probe(id, hash)];
  return held == 0 ? nullptr : &entries_[held - 1];
}

IdState IdMap::set(std::string_view id, uint64_t hash, const IdState& state) {
  if ((entries_.size() + 1) * 2 > table_.size()) grow();
  uint32_t& held = table_[probe(id, hash)];
  if (held == 0) {
    entries_.push_back({ids_.copy(id), hash, state});
    held = static_cast<uint32_t>(entries_.size());
    return {};
  }
  const IdState before = entries_[held - 1].state;
  entries_[held - 1].state = state;
  return before;
}

std::string_view IdMap::stored_id(std::string_view id, uint64_t hash) const {
  const Entry* entry = find(id, hash);
  return entry == nullptr ? std::string_view() : entry->id;
}

void IdMap::grow() {
  const size_t size = table_.empty() ? kFirstSlots : table_.size() * 2;
  table_.assign(size, 0);
  for (size_t i = 0; i < entries_.size(); i++) {
    size_t at = static_cast<size_t>(entries_[i].hash) & (size - 1);
    while (table_[at] != 0) at = (at + 1) & (size - 1);
    table_[at] = static_cast<uint32_t>(i + 1);
  }
}

size_t IdMap::memory_bytes() const {
  return ids_.reserved() + entries_.capacity() * sizeof(Entry) + table_.size() * sizeof(uint32_t);
}

}  // namespace quarry
