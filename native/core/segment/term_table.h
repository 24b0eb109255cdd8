// Terms of one field in the write buffer, each once, numbered in the order in which they first
// appeared.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/arena.h"

namespace quarry {

/// One writer; const members may run beside each other once writing has stopped.
class TermTable {
 public:
  /// The number of `term`; a new one is copied into `arena`, which must outlive the table. `hash`:
  /// its hash64.
  uint32_t intern(std::string_view term, uint64_t hash, Arena& arena);
  /// Starts loading the slot that intern() will look at.
  void prefetch(uint64_t hash) const {
    if (!slots_.empty()) __builtin_prefetch(&slots_[home(tag_of(hash))]);
  }
  uint32_t size() const { return static_cast<uint32_t>(terms_.size()); }
  std::string_view term(uint32_t id) const { return terms_[id]; }
  /// Sorts term numbers by the bytes of their terms.
  void sort(std::vector<uint32_t>& ids) const;
  size_t memory_bytes() const {
    return slots_.capacity() * sizeof(Slot) + terms_.capacity() * sizeof(std::string_view);
  }

 private:
  struct Slot {
    uint32_t tag = 0;
    uint32_t id = 0;  // term number + 1; 0: empty
  };
  static uint32_t tag_of(uint64_t hash) { return static_cast<uint32_t>(hash >> 32); }
  size_t home(uint32_t tag) const { return tag & (slots_.size() - 1); }
  void grow();

  std::vector<Slot> slots_;  // a power of two, at most half full
  std::vector<std::string_view> terms_;
};

}  // namespace quarry
