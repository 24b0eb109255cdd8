// Reads an index's folder without opening the index: its metadata (META) and the manifests of its
// shards.
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

/// Indexes with this format of META or a later one have a manifest in every shard from their
/// creation on: a shard without a manifest has lost it.
inline constexpr uint32_t kMetaWithManifests = 2;

/// The content of META after verification of its checksum, members and their types.
struct IndexMeta {
  uint32_t format = 1;
  uint32_t number = 0;
  std::string uuid;
  JsonValue spec;
  uint32_t shards = 1;
  std::string mappings;  // JSON
  Status damage;         // of META, when its copy was read

  /// Empty when the spec has none.
  std::string name() const;
};
/// Reads META or its copy. ErrorType::kCorrupt names the file.
Result<IndexMeta> read_index_meta(FileSystem& files, const std::string& dir);
/// Rewrites META from its copy.
Status restore_index_meta(FileSystem& files, const std::string& dir);
std::string index_meta_json(uint32_t number, const std::string& uuid, const JsonValue& spec,
                            std::string_view mappings_json, uint32_t format = 1);
/// Guesses the metadata of a damaged META for a description: number of the folder, name and uuid as
/// far as the damaged JSON still contains them, number of shard folders. Never fails; the name may
/// be empty.
IndexMeta guess_index_meta(FileSystem& files, const std::string& dir, uint32_t number);
/// The description as returned by Engine::describe.
std::string describe_index(uint32_t number, const std::string& uuid, const JsonValue& spec,
                           uint64_t mapping_version, std::string_view mappings_json);

/// The description of an index that is out of service. Nothing of its spec is trusted except the
/// name under which it is listed.
std::string describe_damaged(const IndexMeta& guess, const std::string& name,
                             const std::string& reason);

/// What the index table keeps of a closed index.
struct IndexSummary {
  uint32_t number = 0;
  uint32_t shards = 0;
  uint64_t next_seq_no = 0;
  ShardStats stats;
};
/// By shard: operations with a smaller sequence number are in its segments.
using Covered = std::vector<uint64_t>;
/// A damaged or unreadable manifest counts as empty; opening the index reports it.
IndexSummary summarise_index(FileSystem& files, const std::string& dir, const IndexMeta& meta,
                             Covered& covered);

/// `number_of_shards` of a spec, 1 when it is not given; illegal_argument_exception outside 1 ..
/// kMaxShards.
Result<uint32_t> read_shard_count(const JsonValue& spec);

}  // namespace quarry
