// The distinct terms of one field in the write buffer, numbered in the order of their first
// occurrence.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "base/arena.h"
#include "base/coding.h"

namespace quarry {

/// One writer; const members may be called by several threads once writing has stopped.
class TermTable {
 public:
  /// The number of `term` (at most 65,535 bytes). A new term is copied into `arena`, which must
  /// outlive the table. `hash`: hash64 of the term.
  uint32_t intern(std::string_view term, uint64_t hash, Arena& arena);
  /// Prefetch the three memory locations that intern() reads: the slot, then the pointer to the
  /// likely term (returns its number, or kNone), then the bytes of the term. Interning mostly waits
  /// for these cache misses, so callers run each step for many terms before the next step.
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

  /// A term in the order of the dictionary.
  struct Sorted {
    uint64_t prefix;    // first eight bytes as an integer of the same order
    const char* place;  // u16 length, then the term
    uint32_t id;
    uint32_t count;
    std::string_view text() const { return text_at(place); }
  };
  /// The terms whose count is not zero, in the order of their bytes. `counts` has size() entries,
  /// by id.
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
