// Terms of one field in the write buffer, each once, numbered in the order in which they first
// appeared.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "base/arena.h"
#include "base/coding.h"

namespace quarry {

/// One writer; const members may run beside each other once writing has stopped.
class TermTable {
 public:
  /// The number of `term` (at most 65,535 bytes); a new one is copied into `arena`, which must
  /// outlive the table. `hash`: its hash64.
  uint32_t intern(std::string_view term, uint64_t hash, Arena& arena);
  /// The three things that intern() looks at, loaded ahead of it: the slot, then where the likely
  /// term is (whose number, or kNone, comes back), then the term's bytes. Interning is these cache
  /// misses, so callers take each step for many terms before the next.
  void prefetch_slot(uint64_t hash) const {
    if (!slots_.empty()) __builtin_prefetch(&slots_[home(tag_of(hash))]);
  }
  uint32_t prefetch_place(uint64_t hash) const;
  void prefetch_bytes(uint32_t id) const {
    if (id != kNone) __builtin_prefetch(places_[id]);
  }
  static constexpr uint32_t kNone = UINT32_MAX;

  uint32_t size() const { return static_cast<uint32_t>(places_.size()); }
  std::string_view term(uint32_t id) const { return text_at(places_[id]); }

  /// A term on its way into a dictionary.
  struct Sorted {
    uint64_t prefix;    // its first eight bytes as a number that orders as they do
    const char* place;  // u16 length, then the term
    uint32_t id;
    uint32_t count;
    std::string_view text() const { return text_at(place); }
  };
  /// The terms whose count (by id, size() of them) is not zero, in the order of their bytes.
  std::vector<Sorted> sorted(std::span<const uint32_t> counts) const;
  size_t memory_bytes() const {
    return slots_.capacity() * sizeof(Slot) + places_.capacity() * sizeof(const char*);
  }

 private:
  struct Slot {
    uint32_t tag = 0;
    uint32_t id = 0;  // term number + 1; 0: empty
  };
  static std::string_view text_at(const char* place) {
    return {place + sizeof(uint16_t), load<uint16_t>(place)};
  }
  static uint32_t tag_of(uint64_t hash) { return static_cast<uint32_t>(hash >> 32); }
  size_t home(uint32_t tag) const { return tag & (slots_.size() - 1); }
  void grow();

  std::vector<Slot> slots_;          // a power of two, at most half full
  std::vector<const char*> places_;  // u16 length, then the term
};

}  // namespace quarry
