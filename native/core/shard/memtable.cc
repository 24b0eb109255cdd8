#include "shard/memtable.h"

#include <algorithm>

#include "mapping/document/kept_source.h"

namespace quarry {
namespace {

constexpr uint64_t bit(uint32_t slot) { return uint64_t{1} << (slot & 63); }

uint64_t made_vector_bytes(const Mapping& mapping, const ParsedDocument& document) {
  if (mapping.semantic_fields().empty()) return 0;
  uint64_t bytes = 0;
  for (const FieldValue& value : document.values) {
    if (mapping.field(value.field).companion) bytes += value.text.size();
  }
  return bytes;
}

}  // namespace

/// Sets the live bits of a document and its nested ones.
void Memtable::set_live(uint32_t slot, bool live) {
  for (uint32_t each = builder_.block_begin(slot); each <= slot; each++) {
    uint64_t& word = live_[each >> 6];
    word = live ? word | bit(each) : word & ~bit(each);
    live_count_ = live ? live_count_ + 1 : live_count_ - 1;
  }
}

/// Sets the state of `id`: deletes its previous document in this memtable, and records its older
/// document outside of it.
IdState Memtable::set_state(std::string_view id, uint64_t hash, const IdState& state,
                            const PendingDelete* older) {
  const IdState before = ids_.set(id, hash, state);
  if (before.kind == IdState::Kind::kDocument) set_live(before.slot, false);
  if (older != nullptr) {
    older_.push_back(*older);
    older_.back().id = ids_.stored_id(id, hash);
  }
  return before;
}

Result<Memtable::Undo> Memtable::add(const std::shared_ptr<const Mapping>& mapping,
                                     const ParsedDocument& document, std::string_view id,
                                     uint64_t hash, std::string_view source,
                                     const DocVersion& version, const PendingDelete* older) {
  const uint32_t slot = builder_.size() + static_cast<uint32_t>(document.nested.size());
  std::string filtered;
  QUARRY_ASSIGN_OR_RETURN(const std::string_view kept, kept_source(*mapping, source, filtered));
  QUARRY_RETURN_IF_ERROR(builder_.add(*mapping, document, id, kept, version));
  mapping_ = mapping;
  source_bytes_ += source.size() + id.size();
  vector_bytes_ += made_vector_bytes(*mapping, document);
  if (!document.routing.empty()) routings_.emplace(slot, document.routing);
  const IdState state{IdState::Kind::kDocument, slot, 0, version};
  Undo undo{id, hash, set_state(id, hash, state, older), older != nullptr, true};
  live_.resize((slot >> 6) + size_t{1});
  set_live(slot, true);
  return undo;
}

Memtable::Undo Memtable::remove(std::string_view id, uint64_t hash, const DocVersion& version,
                                int64_t now_ms, const PendingDelete* older) {
  const IdState state{IdState::Kind::kDeleted, 0, now_ms, version};
  return {id, hash, set_state(id, hash, state, older), older != nullptr, false};
}

void Memtable::undo(const Undo& step) {
  if (step.added) set_live(ids_.find(step.id, step.hash)->state.slot, false);
  ids_.set(step.id, step.hash, step.before);
  if (step.before.kind == IdState::Kind::kDocument) set_live(step.before.slot, true);
  if (step.deletes_older) older_.pop_back();
}

void Memtable::cover(uint64_t seq_no, uint64_t position) {
  max_seq_no_ = std::max(max_seq_no_, seq_no);
  first_position_ = std::min(first_position_, position);
}

std::string_view Memtable::routing(uint32_t slot) const {
  const auto found = routings_.find(slot);
  return found == routings_.end() ? std::string_view() : std::string_view(found->second);
}

Result<SegmentImage> Memtable::build() const {
  return builder_.build(Bitset(live_, builder_.size()));
}

size_t Memtable::memory_bytes() const {
  return builder_.memory_bytes() + ids_.memory_bytes() + older_.capacity() * sizeof(PendingDelete);
}

}  // namespace quarry
