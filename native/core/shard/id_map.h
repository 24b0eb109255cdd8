// `_id` -> version and slot of everything a memtable has seen: the live version map.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/arena.h"
#include "store/id_table.h"

namespace quarry {

/// What the memtable knows of one id.
struct IdState {
  enum class Kind : uint8_t { kAbsent, kDocument, kDeleted };
  Kind kind = Kind::kAbsent;
  uint32_t slot = 0;          // kDocument: in the segment builder
  int64_t deleted_at_ms = 0;  // kDeleted: wall clock
  DocVersion version;
};

/// Open addressing over entries that never move in number. One writer, or any number of readers.
class IdMap {
 public:
  struct Entry {
    std::string_view id;
    uint64_t hash = 0;
    IdState state;
  };

  /// Nothing known: null.
  const Entry* find(std::string_view id, uint64_t hash) const;
  /// Sets the state of `id` and returns the one before. The id is copied when it is new.
  IdState set(std::string_view id, uint64_t hash, const IdState& state);
  /// The map's own copy of an id that it has seen.
  std::string_view stored_id(std::string_view id, uint64_t hash) const;

  const std::vector<Entry>& entries() const { return entries_; }
  size_t memory_bytes() const;

 private:
  uint32_t probe(std::string_view id, uint64_t hash) const;
  void grow();

  Arena ids_;
  std::vector<Entry> entries_;
  std::vector<uint32_t> table_;  // index into entries_ + 1; 0: free
};

}  // namespace quarry
