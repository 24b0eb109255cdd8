// Version and location by `_id` for all ids that a memtable contains: the live version map.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/arena.h"
#include "store/id_table.h"

namespace quarry {

/// What the memtable contains of one id.
struct IdState {
  enum class Kind : uint8_t { kAbsent, kDocument, kDeleted };
  Kind kind = Kind::kAbsent;
  uint32_t slot = 0;          // kDocument: slot in the segment builder
  int64_t deleted_at_ms = 0;  // kDeleted: wall clock
  DocVersion version;
};

/// An open-addressing hash table; the entries keep their numbers. One writer, or any number of
/// readers.
class IdMap {
 public:
  struct Entry {
    std::string_view id;
    uint64_t hash = 0;
    IdState state;
  };

  /// Null when the memtable does not contain the id.
  const Entry* find(std::string_view id, uint64_t hash) const;
  /// Sets the state of `id` and returns its previous state. The id is copied when it is new.
  IdState set(std::string_view id, uint64_t hash, const IdState& state);
  /// The map's copy of an id that it contains.
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
