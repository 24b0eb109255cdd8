// What a shard needs of its index, and of the node: handed in, so that a shard can be tested alone.
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

/// The mapping that a document is parsed with: that of the index, and what the document brings to it.
struct GrownMapping {
  std::shared_ptr<const Mapping> after;
  std::vector<std::string> updates;        // that made `after` of `before`, in their order
  std::shared_ptr<const Mapping> before;  // null without updates: `after` is that of the index
};

/// Shared by the shards of one index. Thread-safe.
class IndexState {
 public:
  virtual ~IndexState() = default;
  virtual std::shared_ptr<const Mapping> mapping() const = 0;
  /// Shows the mapping that a document has grown, logged before it is visible. False, and nothing is done, when the
  /// index has another one than `before` by now.
  virtual Result<bool> grow_mapping(const GrownMapping& grown) = 0;
  /// Merges an update into the mapping without a log record, during recovery; returns the new mapping.
  virtual Result<std::shared_ptr<const Mapping>> replay_mapping(std::string_view mappings_json) = 0;
  /// Sequence numbers are the index's, so that insertion order is total over its shards.
  virtual uint64_t next_seq_no() = 0;
  /// Makes what grow_mapping changed durable; called before segments that use it are.
  virtual Status save_mapping() = 0;
};

/// Shared by all shards of the node. Everything outlives the shards.
struct NodeServices {
  FileSystem* files = nullptr;
  const Clock* clock = nullptr;
  const DiskSpace* space = nullptr;
  WalWriter* log = nullptr;  // null while the log is being scanned at start
  WorkPace* pace = nullptr;           // of merges; null: they wait for nothing
  EmbedderPool* embedders = nullptr;  // for replay; null: one of its own
  std::atomic<uint64_t>* owed_bytes = nullptr;  // what memory owes the disk, over all shards
  std::atomic<uint64_t>* held_bytes = nullptr;  // heap of held snapshots, over all shards
  uint64_t held_bytes_limit = UINT64_MAX;
  uint64_t memtable_bytes = 0;
  int64_t snapshot_retention_ns = 0;
};

}  // namespace quarry
