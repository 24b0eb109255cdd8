// The engine: all indexes of one data folder. The only header that napi/ includes. Every call is synchronous and
// thread-safe; ids and bytes in, bytes out; the engine starts no thread.
//
// JSON that crosses here is metadata only (specs, descriptions, statistics). An index is named by its number (u32),
// unique for the life of the data folder; names, aliases and wildcards are resolved by the coordinator.
#pragma once

#include <cstdint>
#include <memory>
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
  uint64_t wal_flush_bytes = uint64_t{256} << 20;      // log size from which dirty shards should be flushed
  uint64_t memtable_flush_bytes = uint64_t{64} << 20;  // per shard
  uint64_t filter_cache_bytes = uint64_t{64} << 20;
  uint64_t disk_reserve_bytes = uint64_t{64} << 20;    // free space below which writes are refused (429)
  uint32_t snapshot_retention_ms = 30000;              // how long a replaced snapshot stays fetchable
  uint64_t held_bytes = uint64_t{256} << 20;           // heap that held snapshots may keep, over all shards
  uint32_t idle_close_ms = 30000;                      // an index that nobody used for so long is flushed and closed
  uint64_t merge_bytes_per_sec = 0;                    // what merges write (base/work_pace.h); 0: no limit
  uint32_t busy_searches = 1;                          // as many searches as there are threads for them
  uint32_t max_clauses = 16384;                        // of one query; for the whole process
  Pause pause;                                         // how merges wait; null: they sleep
};

struct ShardId {
  uint32_t index = 0;
  uint32_t shard = 0;
};

/// Operations of the log that go into memory at start.
struct ReplayProgress {
  uint64_t done = 0;
  uint64_t total = 0;
};

/// Reply of bulk() and write(), encoded by engine/item_results.h; `wal_position` must be durable before it is acknowledged.
struct WriteReply {
  std::vector<uint8_t> bytes;
  uint64_t wal_position = 0;
};

/// What happened to the log: everything below `position` is durable.
struct WalSync {
  uint64_t position = 0;
  uint64_t syncs = 0;
};

class Engine {
 public:
  virtual ~Engine() = default;
  /// Takes the lock file, reads every index's metadata and manifest, scans the log's tail. Indexes open on first use.
  /// One that cannot be read is out of service and fails nothing else; a damaged log or NODE file fails the opening.
  /// Shards with log records to replay must be recovered (needs_recovery) before anything else touches them.
  static Result<std::unique_ptr<Engine>> open(const EngineOptions& options);
  /// Final checkpoint of the dirty shards, for about `checkpoint_ms`: the others stay in the log, which the next start
  /// replays. Then closes the log. Nothing may be running any more.
  virtual Status close(int64_t checkpoint_ms = INT64_MAX) = 0;

  // Index administration. Durable when they return.
  /// Spec: {"name","settings":{…},"mappings":{…},"aliases":{…},"number_of_shards":n,"creation_date":ms,…}; unknown members are
  /// kept and described again. Returns the description (with "number" and "uuid").
  virtual Result<std::string> create_index(std::string_view spec_json) = 0;
  virtual Status drop_index(uint32_t index) = 0;
  /// Merges into the mapping; returns the description.
  virtual Result<std::string> put_mapping(uint32_t index, std::string_view mappings_json) = 0;
  /// Replaces members of the spec other than mappings (settings, aliases, state …); fixed ones are refused by the coordinator.
  virtual Result<std::string> put_spec(uint32_t index, std::string_view members_json) = 0;
  /// The description that the index would have after put_spec() and put_mapping() with these, either of which may be empty.
  /// Refuses what they would refuse, and writes nothing.
  virtual Result<std::string> check_change(uint32_t index, std::string_view members_json, std::string_view mappings_json) = 0;
  /// Several changes that are one: a JSON array of {"create": spec}, {"restore": number, "spec"}, {"index": number, "members",
  /// "mappings"} and {"drop": number}. All are checked, then one record of them is durable (engine/change_record.h), then
  /// they are made; what a process leaves half made, the next start completes. Returns the descriptions of what is new or
  /// changed, in their order, each ended by a line feed. What is dropped stays until finish_changes().
  virtual Result<std::string> change_indexes(std::string_view changes_json) = 0;
  /// Drops what the last change_indexes() said, and forgets its record. After a failure the next change does it first.
  virtual Status finish_changes() = 0;
  /// For a description that the coordinator cannot read: until the next start the index answers `reason` as a damaged one
  /// does, and can only be dropped. Its files stay, and what the log has of it.
  virtual Status put_out_of_service(uint32_t index, std::string_view reason) = 0;
  /// One description: spec + "mappings" as of now, "mapping_version", "uuid", "number".
  virtual Result<std::string> describe(uint32_t index) = 0;
  /// All descriptions, each ends with a line feed and has no other; opens no index. One that is out of service has a member
  /// "damage" with the reason, no mappings, and the name [damaged-<number>] if its own is lost.
  virtual Result<std::string> describe_all() = 0;
  /// What is out of service, as far as it is known: JSON array of {"index": number, "shard": number or null for all,
  /// "reason"}. Damage shows at the start or when a shard is first used.
  virtual std::string damages() = 0;
  /// JSON statistics of one index (docs, deleted, segments, bytes, refresh/flush/merge counts, per shard) or of the node.
  virtual Result<std::string> index_stats(uint32_t index) = 0;
  virtual std::string node_stats() = 0;
  /// The _analyze request on an index (or none: UINT32_MAX) to its answer, both JSON.
  virtual Result<std::string> analyze(uint32_t index, std::string_view request_json) = 0;

  // Documents.
  /// An NDJSON bulk body. `request` (see item_results.h): default index, flags, name -> index number table. When a line names
  /// an index that the table lacks, nothing is executed and the reply lists the missing names.
  /// `vectors`: of the texts that pending_texts() listed, as bytes of a VectorTable (mapping/vectors/vector_table.h); may be empty.
  virtual Result<WriteReply> bulk(Bytes request, Bytes ndjson, Bytes vectors = {}) = 0;
  /// Operations in binary form (single-document routes): see item_results.h.
  virtual Result<WriteReply> write(Bytes operations, Bytes vectors = {}) = 0;
  /// The texts of fields with a remote embedder that a bulk request, or operations (`ndjson` empty), would store: the list
  /// of shard/pending_texts.h. Stores nothing. What is wrong with the request shows when it is written.
  virtual Result<std::vector<uint8_t>> pending_texts(Bytes request, Bytes ndjson) = 0;
  /// Real-time get: fetch reply with one document. `plan` carries the fetch spec only. `realtime` false: from the last refresh.
  virtual std::vector<uint8_t> get(uint32_t index, std::string_view id, std::string_view routing, bool realtime, Bytes plan) = 0;

  // Search. Replies as in query/plan/hits.h; errors are inside the reply.
  virtual std::vector<uint8_t> search(const std::vector<ShardId>& shards, Bytes plan, CallLimits limits = {}) = 0;
  /// Fewer documents than asked for when the time is up, or when they hold as much as one reply may (query/fetch/timed_fetch.h).
  virtual std::vector<uint8_t> fetch(ShardId shard, uint64_t generation, const std::vector<uint32_t>& docs, Bytes plan,
                                     CallLimits limits = {}) = 0;
  /// Ends what was called with this token, soon, with task_cancelled_exception; it may not have begun yet. Takes no lock.
  virtual void cancel(uint64_t token) = 0;
  /// Keeps the newest snapshot of the shard fetchable and searchable, and its index open, until let_go(); the generation
  /// to name it by. kCircuitBreaking when the memory for that is used up: flush the shard and try again. Ends with the process.
  virtual Result<uint64_t> hold(ShardId shard) = 0;
  /// Takes one hold back. Of an index that is gone, or a generation that is not held: nothing.
  virtual void let_go(ShardId shard, uint64_t generation) = 0;

  // Copies of whole indexes.
  /// Holds an index as it is at one moment between two chunks of writes: {"pin", "documents", "description", "files":
  /// [{"shard", "name", "key", "bytes"}]}. Flushed before, little of it is in memory alone. Held until unpin().
  virtual Result<std::string> pin_index(uint32_t index) = 0;
  /// At most `length` bytes of a file of a pin, by its place in the list; none at its end.
  virtual Result<std::vector<uint8_t>> read_pinned(uint32_t pin, uint32_t file, uint64_t offset, uint32_t length) = 0;
  virtual Status unpin(uint32_t pin) = 0;
  /// Makes room for a copy: {"number_of_shards", "bytes"} to {"number", "folder"}. The caller writes the files of a pin into
  /// the folder of each shard ("0", …) and syncs them. A restart removes it.
  virtual Result<std::string> prepare_restore(std::string_view request_json) = 0;
  /// Verifies every checksum of {"number_of_shards", "files": [{"shard", "name", "key"}]}: all files but the manifests.
  /// ErrorType::kCorrupt begins with the file, "[shard/name]".
  virtual Status check_restore(uint32_t number, std::string_view request_json) = 0;
  /// Makes an index of what was checked, with a uuid of its own. Spec as for create_index. Returns the description.
  virtual Result<std::string> finish_restore(uint32_t number, std::string_view spec_json) = 0;
  virtual Status abort_restore(uint32_t number) = 0;

  /// Words, counts and inputs for suggesters (query/suggest/suggest_plan.h); errors are inside the reply.
  virtual std::vector<uint8_t> suggest(uint32_t index, Bytes request, CallLimits limits = {}) = 0;

  // Links: documents of an index that join two others. Replies as in query/links/; errors are inside the reply.
  /// A walk from nodes over their links (link_walk.h).
  virtual std::vector<uint8_t> walk_links(uint32_t index, Bytes request, CallLimits limits = {}) = 0;
  /// All links in numbers (link_counts.h); `nodes`: the indexes whose documents are nodes.
  virtual std::vector<uint8_t> count_links(uint32_t index, const std::vector<uint32_t>& nodes, Bytes request,
                                           CallLimits limits = {}) = 0;

  // Lent threads.
  /// Publishes what was written. Returns true when there was something to publish.
  virtual Result<bool> refresh(ShardId shard) = 0;
  /// Refresh, write in-memory segments to disk, write the manifest, release the log.
  virtual Status flush(ShardId shard) = 0;
  /// One merge step by policy (max_segments 0), or down to max_segments. Returns true when something was merged.
  virtual Result<bool> merge(ShardId shard, uint32_t max_segments) = 0;
  /// Shards with operations that only the log holds durably.
  virtual std::vector<ShardId> unflushed_shards() = 0;
  /// Closes some of the indexes that nobody used for idle_close_ms: no memory but a few numbers, no file, no map. How many;
  /// not 0: there may be more. What it needs first is among flush_candidates().
  virtual uint32_t close_idle() = 0;
  /// A new merge_bytes_per_sec, also for merges that run.
  virtual void set_merge_limit(uint64_t bytes_per_sec) = 0;
  /// Ends running merges soon (they are rejected) and refuses new ones: close() waits for them, and a graph takes long.
  virtual void abort_merges() = 0;
  /// Shards with records to replay, and how far each is; recover() replays one.
  virtual std::vector<ShardId> needs_recovery() = 0;
  virtual Status recover(ShardId shard) = 0;
  /// Over all shards, while they recover; any thread.
  virtual ReplayProgress replay_progress() = 0;
  /// Shards that wait for a refresh / should be flushed / have a merge to do now.
  virtual std::vector<ShardId> dirty_shards() = 0;
  virtual std::vector<ShardId> flush_candidates() = 0;
  virtual std::vector<ShardId> merge_candidates() = 0;
  /// For the service's log: damage that was found and worked around (codes or graphs of vectors). Each is given once.
  virtual std::vector<std::string> take_warnings() = 0;
  /// Makes everything appended so far durable. May block. A failure is final: writes are refused from then on.
  virtual Result<WalSync> sync_wal() = 0;
  /// Ok, or why writes are refused now (failed sync: kStore, disk full: kClusterBlock).
  virtual Status write_state() = 0;
};

}  // namespace quarry
