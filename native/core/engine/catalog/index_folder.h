// What the folder of an index says of it without opening it: its metadata (META) and its shards' manifests.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/file.h"
#include "base/status.h"
#include "json/value.h"
#include "shard/shard_stats.h"

namespace quarry {

/// From this format of META on every shard has had a manifest since its index was made: a shard without one lost it.
inline constexpr uint32_t kMetaWithManifests = 2;

/// META, checked: checksum, members and their types.
struct IndexMeta {
  uint32_t format = 1;
  uint32_t number = 0;
  std::string uuid;
  JsonValue spec;
  uint32_t shards = 1;
  std::string mappings;  // JSON
  Status damage;         // of the file, when its copy was used

  /// Empty when the spec has none.
  std::string name() const;
};
/// META, or its copy. ErrorType::kCorrupt names the file.
Result<IndexMeta> read_index_meta(FileSystem& files, const std::string& dir);
/// Writes META again from its copy.
Status restore_index_meta(FileSystem& files, const std::string& dir);
std::string index_meta_json(uint32_t number, const std::string& uuid, const JsonValue& spec,
                            std::string_view mappings_json, uint32_t format = 1);
/// As much of a META that is damaged as can be guessed, for a description: number of the folder, name and uuid where a
/// damaged text still tells them, the shards that have folders. Never fails; the name may be empty.
IndexMeta guess_index_meta(FileSystem& files, const std::string& dir, uint32_t number);
/// The description that the engine gives (Engine::describe).
std::string describe_index(uint32_t number, const std::string& uuid, const JsonValue& spec,
                           uint64_t mapping_version, std::string_view mappings_json);

/// The description of one that is out of service: nothing of its spec is believed but the name that it goes by.
std::string describe_damaged(const IndexMeta& guess, const std::string& name,
                             const std::string& reason);

/// An index that is closed.
struct IndexSummary {
  uint32_t number = 0;
  uint32_t shards = 0;
  uint64_t next_seq_no = 0;
  ShardStats stats;
};
/// By shard: operations with a smaller sequence number are in its segments.
using Covered = std::vector<uint64_t>;
/// A damaged or unreadable manifest counts as empty: whoever opens the index is told of it.
IndexSummary summarise_index(FileSystem& files, const std::string& dir, const IndexMeta& meta,
                             Covered& covered);

/// `number_of_shards` of a spec: 1 when it is not given, illegal_argument_exception outside 1 .. kMaxShards.
Result<uint32_t> read_shard_count(const JsonValue& spec);

}  // namespace quarry
