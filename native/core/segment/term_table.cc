#include "segment/term_table.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace quarry {
namespace {

constexpr size_t kFirstTermSlots = 16;

/// The first eight bytes as an integer of the same order, so that most comparisons need not read
/// the term.
uint64_t order_prefix(std::string_view term) {
  uint64_t prefix = 0;
  if (!term.empty()) std::memcpy(&prefix, term.data(), std::min(term.size(), sizeof(prefix)));
  return __builtin_bswap64(prefix);
}

}  // namespace

uint32_t TermTable::intern(std::string_view term, uint64_t hash, Arena& arena) {
  if (places_.size() * 2 >= slots_.size()) grow();
  const uint32_t tag = tag_of(hash);
  for (size_t at = home(tag);; at = (at + 1) & (slots_.size() - 1)) {
    Slot& slot = slots_[at];
    if (slot.id == 0) {
      char* place = arena.allocate(sizeof(uint16_t) + term.size());
      store(place, static_cast<uint16_t>(term.size()));
      if (!term.empty()) std::memcpy(place + sizeof(uint16_t), term.data(), term.size());
      places_.push_back(place);
      slot = {tag, size()};
      return size() - 1;
    }
    if (slot.tag == tag && this->term(slot.id - 1) == term) return slot.id - 1;
  }
}

uint32_t TermTable::prefetch_place(uint64_t hash) const {
  if (slots_.empty()) return kNone;
  const uint32_t tag = tag_of(hash);
  for (size_t at = home(tag);; at = (at + 1) & (slots_.size() - 1)) {
    if (slots_[at].id == 0) return kNone;
    if (slots_[at].tag != tag) continue;
    __builtin_prefetch(&places_[slots_[at].id - 1]);
    return slots_[at].id - 1;
  }
}

void TermTable::grow() {
  std::vector<Slot> old = std::move(slots_);
  slots_.assign(std::max(kFirstTermSlots, old.size() * 2), {});
  for (const Slot& slot : old) {
    if (slot.id == 0) continue;
    size_t at = home(slot.tag);
    while (slots_[at].id != 0) at = (at + 1) & (slots_.size() - 1);
    slots_[at] = slot;
  }
}

std::vector<TermTable::Sorted> TermTable::sorted(std::span<const uint32_t> counts) const {
  std::vector<Sorted> out;
  for (uint32_t id = 0; id < size(); id++) {
    if (counts[id] != 0) out.push_back({order_prefix(term(id)), places_[id], id, counts[id]});
  }
  std::sort(out.begin(), out.end(), [](const Sorted& a, const Sorted& b) {
    return a.prefix != b.prefix ? a.prefix < b.prefix : a.text() < b.text();
  });
  return out;
}

}  // namespace quarry
