// Versions of recently deleted documents, so that the version of a deleted id continues.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "store/id_table.h"

namespace quarry {

/// The default of Elasticsearch's index.gc_deletes.
inline constexpr int64_t kTombstoneMs = 60000;

struct Tombstone {
  DocVersion version;
  int64_t deleted_at_ms = 0;  // wall clock
};

/// Not thread-safe.
class Tombstones {
 public:
  void set(std::string_view id, const Tombstone& tombstone);
  void erase(std::string_view id);
  /// Null when there is none, or when it is older than kTombstoneMs at `now_ms`.
  const Tombstone* find(std::string_view id, int64_t now_ms) const;
  void prune(int64_t now_ms);
  const std::map<std::string, Tombstone, std::less<>>& all() const { return by_id_; }

 private:
  std::map<std::string, Tombstone, std::less<>> by_id_;
  int64_t next_prune_ms_ = 0;
};

}  // namespace quarry
