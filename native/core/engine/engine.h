// The engine: all indexes of one data folder. This is the only header that napi/ includes. Every
// call is synchronous and thread-safe, and takes and returns ids and bytes; the engine starts no
// thread.
//
// JSON in this interface is metadata only (specs, descriptions, statistics). An index is named by
// its number (u32), which is unique for the life of the data folder; the coordinator resolves
// names, aliases and wildcards.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/coding.h"
#include "base/file.h"
#include "base/status.h"
#include "base/stop_check.h"
#include "base/work_pace.h"

namespace quarry {

struct EngineOptions {
  std::string data_dir;
  FileSystem* file_system = nullptr;  // must outlive the engine
  const Clock* clock = nullptr;       // must outlive the engine
  uint64_t wal_file_bytes = uint64_t{64} << 20;
  uint64_t wal_flush_bytes = uint64_t{256} << 20;      // log size that makes dirty shards flush
  uint64_t memtable_flush_bytes = uint64_t{64} << 20;  // per shard
  uint64_t filter_cache_bytes = uint64_t{64} << 20;
  uint64_t disk_reserve_bytes = uint64_t{64} << 20;  // least free space; below it: 429
  uint32_t snapshot_retention_ms = 30000;            // life of a replaced snapshot
  uint64_t held_bytes = uint64_t{256} << 20;         // heap of held snapshots, all shards
  uint32_t idle_close_ms = 30000;                    // unused indexes are flushed and closed
  uint64_t merge_bytes_per_sec = 0;                  // limit of merges (work_pace.h); 0: none
  uint32_t busy_searches = 1;                        // number of threads that run searches
  uint32_t max_clauses = 16384;                      // per query; set for the whole process
  Pause pause;                                       // how merges wait; null: they sleep
};

struct ShardId {
  uint32_t index = 0;
  uint32_t shard = 0;
};

/// The number of log operations that recovery replays into memory.
struct ReplayProgress {
  uint64_t done = 0;
  uint64_t total = 0;
};

/// Reply of bulk() and write(), encoded by engine/item_results.h. The log must be durable up to
/// `wal_position` before the reply is acknowledged.
struct WriteReply {
  std::vector<uint8_t> bytes;
  uint64_t wal_position = 0;
};

/// Result of a sync of the log: everything below `position` is durable.
struct WalSync {
  uint64_t position = 0;
  uint64_t syncs = 0;
};

class Engine {
 public:
  virtual ~Engine() = default;
  /// Takes the lock file, reads the metadata and manifest of every index and scans the tail of the
  /// log. Indexes open on first use. An index that cannot be read is out of service and does not
  /// affect the others; a damaged log or NODE file makes open() fail. Shards with log records to
  /// replay (needs_recovery) must be recovered before any other call uses them.
  static Result<std::unique_ptr<Engine>> open(const EngineOptions& options);
  /// Writes a final checkpoint of the dirty shards for about `checkpoint_ms`; the operations of the
  /// remaining shards stay in the log, which the next start replays. Then closes the log. No other
  /// call may be running.
  virtual Status close(int64_t checkpoint_ms = INT64_MAX) = 0;

  // Index administration. Changes are durable when the call returns.
  /// Spec: {"name","settings":{…},"mappings":{…},"aliases":{…},"number_of_shards":n,
  /// "creation_date":ms,…}; unknown members are kept and returned in descriptions. Returns the
  /// description (with "number" and "uuid").
  virtual Result<std::string> create_index(std::string_view spec_json) = 0;
  virtual Status drop_index(uint32_t index) = 0;
  /// Merges into the mapping; returns the description.
  virtual Result<std::string> put_mapping(uint32_t index, std::string_view mappings_json) = 0;
  /// Replaces members of the spec other than mappings (settings, aliases, state …). The coordinator
  /// refuses changes of fixed members.
  virtual Result<std::string> put_spec(uint32_t index, std::string_view members_json) = 0;
  /// The description that the index would have after put_spec() and put_mapping() with these
  /// arguments, either of which may be empty. Fails where they would fail; writes nothing.
  virtual Result<std::string> check_change(uint32_t index, std::string_view members_json,
                                           std::string_view mappings_json) = 0;
  /// Makes several changes as one: a JSON array of {"create": spec}, {"restore": number, "spec"},
  /// {"index": number, "members", "mappings"} and {"drop": number}. All changes are checked, then
  /// one record of them is made durable (engine/change_record.h), then they are applied; if the
  /// process ends before that is complete, the next start completes it. Returns the descriptions of
  /// the new and changed indexes in the order of the request, each followed by a line feed. Dropped
  /// indexes remain until finish_changes().
  virtual Result<std::string> change_indexes(std::string_view changes_json) = 0;
  /// Drops the indexes that the last change_indexes() dropped, and removes its record. After a
  /// failure the next change repeats this first.
  virtual Status finish_changes() = 0;
  /// For an index whose description the coordinator cannot read: until the next start, calls on the
  /// index fail with `reason` as for a damaged one, and it can only be dropped. Its files and its
  /// log records are kept.
  virtual Status put_out_of_service(uint32_t index, std::string_view reason) = 0;
  /// The description of one index: spec + current "mappings", "mapping_version", "uuid", "number".
  virtual Result<std::string> describe(uint32_t index) = 0;
  /// All descriptions, one per line, each followed by a line feed. Opens no index. An index that is
  /// out of service has a member "damage" with the reason, no mappings, and the name
  /// [damaged-<number>] if its own name is lost.
  virtual Result<std::string> describe_all() = 0;
  /// The indexes and shards that are out of service: JSON array of {"index": number, "shard":
  /// number or null for all, "reason"}. Damage is detected at the start or when a shard is first
  /// used.
  virtual std::string damages() = 0;
  /// Statistics as JSON: of one index (docs, deleted, segments, bytes, refresh/flush/merge counts,
  /// per shard), or of the node.
  virtual Result<std::string> index_stats(uint32_t index) = 0;
  virtual std::string node_stats() = 0;
  /// Runs an _analyze request on an index, or without one (UINT32_MAX). Request and result are
  /// JSON.
  virtual Result<std::string> analyze(uint32_t index, std::string_view request_json) = 0;

  // Documents.
  /// Executes an NDJSON bulk body. `request` (see item_results.h): default index, flags, table of
  /// names and index numbers. When a line names an index that is not in the table, nothing is
  /// executed and the reply lists the missing names. `vectors`: vectors of the strings that
  /// pending_texts() listed, as bytes of a VectorTable (mapping/vectors/vector_table.h); may be
  /// empty.
  virtual Result<WriteReply> bulk(Bytes request, Bytes ndjson, Bytes vectors = {}) = 0;
  /// Executes operations in binary form (single-document routes): see item_results.h.
  virtual Result<WriteReply> write(Bytes operations, Bytes vectors = {}) = 0;
  /// The strings that a bulk request, or binary operations (`ndjson` empty), would store in fields
  /// with a remote embedder, in the list format of shard/pending_texts.h. Stores nothing. Faults of
  /// the request are reported when it is written.
  virtual Result<std::vector<uint8_t>> pending_texts(Bytes request, Bytes ndjson) = 0;
  /// Real-time get: a fetch reply with one document. `plan` carries the fetch spec only. With
  /// `realtime` false the document is read as of the last refresh.
  virtual std::vector<uint8_t> get(uint32_t index, std::string_view id, std::string_view routing,
                                   bool realtime, Bytes plan) = 0;

  // Search. Replies as in query/plan/hits.h; errors are inside the reply. There is no reply when
  // limits.budget_us ended first, or when the index has to be opened, which no budget allows for:
  // the call then has left nothing behind, and the caller repeats it without a budget.
  using AttemptReply = std::optional<std::vector<uint8_t>>;
  /// The budget holds for all shards together.
  virtual AttemptReply search(const std::vector<ShardId>& shards, Bytes plan,
                              CallLimits limits = {}) = 0;
  /// Returns fewer documents than requested when the time limit is reached, or when they exceed the
  /// size limit of one reply (query/fetch/timed_fetch.h).
  virtual AttemptReply fetch(ShardId shard, uint64_t generation, const std::vector<uint32_t>& docs,
                             Bytes plan, CallLimits limits = {}) = 0;
  /// Makes the call with this token, running or still to begin, fail soon with
  /// task_cancelled_exception. Takes no lock.
  virtual void cancel(uint64_t token) = 0;
  /// Keeps the newest snapshot of the shard available to fetches and searches, and its index open,
  /// until release_snapshot(). Returns the generation that names the snapshot. kCircuitBreaking
  /// when the memory for held snapshots is used up: flush the shard and try again. Holds do not
  /// outlive the process.
  virtual Result<uint64_t> acquire_snapshot(ShardId shard) = 0;
  /// Releases one hold. Does nothing for a dropped index or a generation that is not held.
  virtual void release_snapshot(ShardId shard, uint64_t generation) = 0;

  // Copies of whole indexes.
  /// Pins an index as it is at one moment between two chunks of writes: {"pin", "documents",
  /// "description", "files": [{"shard", "name", "key", "bytes"}]}. After a flush, little of the
  /// index exists in memory only. The pin remains until unpin().
  virtual Result<std::string> pin_index(uint32_t index) = 0;
  /// At most `length` bytes of a file of a pin; `file` is its position in the list. Empty at the
  /// end of the file.
  virtual Result<std::vector<uint8_t>> read_pinned(uint32_t pin, uint32_t file, uint64_t offset,
                                                   uint32_t length) = 0;
  virtual Status unpin(uint32_t pin) = 0;
  /// Prepares a folder for a copy: {"number_of_shards", "bytes"} to {"number", "folder"}. The
  /// caller writes the files of a pin into the folder of each shard ("0", …) and syncs them. A
  /// restart removes the folder.
  virtual Result<std::string> prepare_restore(std::string_view request_json) = 0;
  /// Verifies every checksum of {"number_of_shards", "files": [{"shard", "name", "key"}]}, which
  /// lists all files except the manifests. The reason of ErrorType::kCorrupt begins with the file,
  /// "[shard/name]".
  virtual Status check_restore(uint32_t number, std::string_view request_json) = 0;
  /// Makes an index with a uuid of its own from the checked files. The spec is as for create_index.
  /// Returns the description.
  virtual Result<std::string> finish_restore(uint32_t number, std::string_view spec_json) = 0;
  virtual Status abort_restore(uint32_t number) = 0;

  /// Terms, counts and completion inputs for suggesters (query/suggest/suggest_plan.h); errors are
  /// inside the reply.
  virtual std::vector<uint8_t> suggest(uint32_t index, Bytes request, CallLimits limits = {}) = 0;

  // Links: documents of an index that join two other documents. Replies as in query/links/; errors
  // are inside the reply.
  /// A walk from nodes along their links (link_walk.h).
  virtual std::vector<uint8_t> walk_links(uint32_t index, Bytes request,
                                          CallLimits limits = {}) = 0;
  /// Counts over all links (link_counts.h). `nodes`: the indexes whose documents are nodes.
  virtual std::vector<uint8_t> count_links(uint32_t index, const std::vector<uint32_t>& nodes,
                                           Bytes request, CallLimits limits = {}) = 0;

  // Background work, run on threads of the caller.
  /// Makes written operations visible to searches. Returns true when there were any.
  virtual Result<bool> refresh(ShardId shard) = 0;
  /// Refreshes, writes in-memory segments to disk, writes the manifest and releases the log.
  virtual Status flush(ShardId shard) = 0;
  /// Runs one merge step chosen by the merge policy (max_segments 0), or merges down to
  /// max_segments. Returns true when segments were merged.
  virtual Result<bool> merge(ShardId shard, uint32_t max_segments) = 0;
  /// Shards with operations that are durable only in the log.
  virtual std::vector<ShardId> unflushed_shards() = 0;
  /// Closes some of the indexes that were not used for idle_close_ms; a closed index keeps a few
  /// numbers in memory and no file or mapping. Returns how many were closed; if not 0, there may be
  /// more. Shards that must be flushed first are among flush_candidates().
  virtual uint32_t close_idle() = 0;
  /// Sets merge_bytes_per_sec, also for running merges.
  virtual void set_merge_limit(uint64_t bytes_per_sec) = 0;
  /// Makes running merges fail soon and refuses new ones, because close() waits for merges and
  /// building a vector graph takes long.
  virtual void abort_merges() = 0;
  /// Shards with log records to replay; recover() replays one shard.
  virtual std::vector<ShardId> needs_recovery() = 0;
  virtual Status recover(ShardId shard) = 0;
  /// Progress of the replay over all shards. May be called by any thread.
  virtual ReplayProgress replay_progress() = 0;
  /// Shards that wait for a refresh / should be flushed / have a merge to do now.
  virtual std::vector<ShardId> dirty_shards() = 0;
  virtual std::vector<ShardId> flush_candidates() = 0;
  virtual std::vector<ShardId> merge_candidates() = 0;
  /// Warnings for the service's log: damage that was found and worked around (vector codes or
  /// graphs). Each is returned once.
  virtual std::vector<std::string> take_warnings() = 0;
  /// Makes everything appended so far durable. May block. A failure is final: writes are refused
  /// from then on.
  virtual Result<WalSync> sync_wal() = 0;
  /// Ok, or the reason why writes are refused now (failed sync: kStore, disk full: kClusterBlock).
  virtual Status write_state() = 0;
};

}  // namespace quarry
