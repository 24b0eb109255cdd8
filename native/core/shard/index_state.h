// What a shard needs from its index and from the node. Passed in, so that a shard can be tested
// alone.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/file.h"
#include "base/status.h"
#include "base/work_pace.h"
#include "mapping/schema/mapping.h"
#include "text/analysis/embedder_pool.h"
#include "wal/disk_space.h"
#include "wal/log_writer.h"

namespace quarry {

class MappingCache;  // engine/catalog/mapping_cache.h

/// The mapping that a document is parsed with: the mapping of the index, extended by the document.
struct GrownMapping {
  std::shared_ptr<const Mapping> after;
  std::vector<std::string> updates;       // that turned `before` into `after`, in order
  std::shared_ptr<const Mapping> before;  // null without updates: `after` is the index's mapping
};

/// Shared by the shards of one index. Thread-safe.
class IndexState {
 public:
  virtual ~IndexState() = default;
  virtual std::shared_ptr<const Mapping> mapping() const = 0;
  /// Logs the mapping that a document has extended and then makes it visible. Returns false without
  /// any change when the mapping of the index is no longer `before`.
  virtual Result<bool> grow_mapping(const GrownMapping& grown) = 0;
  /// Merges an update into the mapping without a log record, during recovery. Returns the new
  /// mapping.
  virtual Result<std::shared_ptr<const Mapping>> replay_mapping(std::string_view mappings_json) = 0;
  /// Sequence numbers are assigned by the index, so that insertion order is total across its
  /// shards.
  virtual uint64_t next_seq_no() = 0;
  /// Makes the changes of grow_mapping() durable; called before segments that use them become
  /// durable.
  virtual Status save_mapping() = 0;
};

/// Shared by all shards of the node. Everything must outlive the shards.
struct NodeServices {
  FileSystem* files = nullptr;
  const Clock* clock = nullptr;
  const DiskSpace* space = nullptr;
  WalWriter* log = nullptr;  // null while the log is being scanned at start
  WorkPace* pace = nullptr;  // of merges; null: no limit
  MappingCache* mappings = nullptr;
  EmbedderPool* embedders = nullptr;            // for replay; null: replay uses one of its own
  std::atomic<uint64_t>* owed_bytes = nullptr;  // data in memory to be flushed, all shards
  std::atomic<uint64_t>* held_bytes = nullptr;  // heap of held snapshots, over all shards
  uint64_t held_bytes_limit = UINT64_MAX;
  uint64_t memtable_bytes = 0;
  int64_t snapshot_retention_ns = 0;
};

}  // namespace quarry
