// One shard: writes go to the log and the memtable, refresh turns the memtable into a segment in
// memory, flush writes segments to disk, merges combine adjacent segments. Searches use immutable
// snapshots.
//
// Locks, taken in this order. A thread holds at most one lock of each kind, except several
// write_mutex_, and several publish_mutex_ for a pin.
//   merge_mutex_     serialises merges of segments on disk; held during their I/O
//   flush_mutex_     serialises flushes and merges of segments in memory; held during their I/O
//   manifest_mutex_  serialises writes of the manifest
//   publish_mutex_   serialises changes of the segment list; held while a refresh builds its
//                    segment (for a pin: of all shards of the index, ascending)
//   write_mutex_     guards memtables and ids; held for one chunk of a bulk request (of all its
//                    shards, ascending), never during a sync
//   view_mutex_      guards the pointer to the published snapshot and the ring; held to copy it
//
// The locks and everything that they guard are declared in this one header; the implementation has
// a file for each concern (shard_write.cc, shard_refresh.cc, …).
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "json/merge.h"
#include "shard/held_snapshots.h"
#include "shard/index_state.h"
#include "shard/located_document.h"
#include "shard/manifest.h"
#include "shard/memtable.h"
#include "shard/prepared_vectors.h"
#include "shard/segment_files.h"
#include "shard/shard_pin.h"
#include "shard/shard_stats.h"
#include "shard/snapshot.h"
#include "shard/tombstones.h"
#include "shard/update_request.h"
#include "shard/write_operation.h"

namespace quarry {

/// A log record above the shard's checkpoint, still in the mapped log file.
struct ReplayRecord {
  Bytes encoded;
  uint64_t position = 0;
};

/// Thread-safe. load() reads the manifest; the segments are mapped on first use.
class Shard {
 public:
  Shard(const NodeServices& node, IndexState& index, uint32_t index_number, uint32_t number,
        std::string dir);
  /// Reads the manifest. A shard without one is empty, or damaged if `must_have_manifest`. Damage
  /// makes every later call fail but is not returned here; the returned status is any other error
  /// of reading the manifest.
  Status load(bool must_have_manifest);
  ~Shard();

  /// Executes `operations[order[i]]` on `shards[i]` in sequence and stores the results in
  /// `outcomes[order[i]]`. The shards belong to one index, whose sequence numbers follow `order`:
  /// ties sort in the order of the request, for any number of shards. `vectors` embeds their
  /// semantic_text fields. Returns the log position that must be durable before any of the
  /// operations is acknowledged.
  static uint64_t apply(std::span<Shard* const> shards, std::span<const WriteOperation> operations,
                        std::span<const uint32_t> order, VectorSource& vectors,
                        std::span<WriteOutcome> outcomes);
  /// Empty when there is no such document. `realtime` false: as of the last refresh. `companions`:
  /// fields whose vectors are returned with the document, normalised to unit length.
  Result<std::optional<StoredDocument>> get(std::string_view id, bool realtime,
                                            std::span<const Field* const> companions = {});

  Result<std::shared_ptr<const ShardSnapshot>> snapshot();
  /// ErrorType::kSnapshotGone when the retention time of `generation` is over.
  Result<std::shared_ptr<const ShardSnapshot>> snapshot(uint64_t generation);

  /// Keeps the published snapshot until release_snapshot() and returns its generation.
  /// kCircuitBreaking when the memory of held snapshots, over all shards, would exceed the limit;
  /// after a flush the same snapshot needs almost no memory.
  Result<uint64_t> acquire_snapshot();
  void release_snapshot(uint64_t generation);

  Result<bool> refresh();
  /// Pins the shards of one index (in ascending order) as of one moment between two chunks of
  /// writes, after publishing all operations up to there. `at_that_moment` is called while no write
  /// runs on any of the shards, and must not wait for a write.
  static Result<std::vector<ShardPin>> pin(std::span<Shard* const> shards,
                                           const std::function<void()>& at_that_moment);
  Status flush();
  Result<bool> merge(uint32_t max_segments);
  /// Makes running merges end soon and refuses new work, before the shard is dropped or closed.
  void stop(bool stopping) {
    stopping_.store(stopping);
    abort_merges_.store(stopping);
  }
  /// Makes a running merge end soon and refuses new ones; flushes continue. For the end of the
  /// process.
  void abort_merges() { abort_merges_.store(true); }
  /// Drops replaced snapshots whose retention time is over.
  void prune();
  /// Ok, or the damage on disk (ErrorType::kCorrupt). A damaged shard is unusable until it is
  /// repaired.
  Status damage() const;
  /// To be called after reading from a snapshot, before the result is used. If a read segment could
  /// not be read, the shard becomes damaged and the result must be discarded.
  Status verify_read(std::span<const SegmentEntry> read) { return note_damage(sound(read)); }
  /// Marks the shard as damaged because of other data that its state depends on. Ok changes
  /// nothing.
  Status put_out_of_use(const Status& damage) { return note_damage(damage); }
  bool damaged() const { return damaged_.load(std::memory_order_acquire); }
  /// Whether the shard can be closed and reopened without losing data, pending work or warnings.
  bool owes_nothing() const {
    return !dirty() && !wants_merge() && !needs_recovery() && !damaged() && !has_warnings_.load() &&
           first_unflushed() == Memtable::kNoPosition && !holding_.load();
  }

  // Recovery: the records are added during the scan of the log, then replayed once.
  uint64_t covered() const { return flushed_below_.load(); }
  void add_replay(const ReplayRecord& record);
  /// Whether the segments are mapped; snapshot() maps them otherwise.
  bool is_open() const { return is_open_.load(std::memory_order_acquire); }
  bool needs_recovery() const { return needs_recovery_.load(); }
  Status recover();
  /// Number of log operations that were added, and how many of them were replayed.
  uint64_t replay_total() const { return replay_total_.load(); }
  uint64_t replay_done() const { return replay_done_.load(); }

  bool dirty() const { return dirty_.load(); }
  bool wants_merge() const { return wants_merge_.load(); }
  /// Log position of the oldest operation that is only in memory; Memtable::kNoPosition when there
  /// is none.
  uint64_t first_unflushed() const { return first_unflushed_.load(); }
  /// Heap that a flush would free.
  uint64_t unflushed_bytes() const { return unflushed_bytes_.load(); }
  /// Unflushed bytes at which the shard is flushed: memtable_bytes, or less while the shard has
  /// fewer bytes on disk, so that memory stays in proportion to the index.
  uint64_t flush_from() const { return flush_from_.load(); }
  ShardStats stats() const;
  std::vector<SegmentInfo> segments() const;
  /// Warnings for the operator (damage that was worked around), each returned once.
  std::vector<std::string> take_warnings();
  void count(Total total, uint64_t by = 1) { counters_.add(total, by); }
  uint32_t number() const { return number_; }

 private:
  using Located = LocatedDocument;
  // shard.cc
  Status ensure_open();
  Status open_segments();
  Status note_damage(const Status& status);
  Status ready_for_writes();
  Located locate(std::string_view id, uint64_t hash) const;
  Status read_document(const Located& at, StoredDocument& out) const;
  void update_marks();

  // shard_write.cc, called with write_mutex_ held
  static size_t apply_chunk(std::span<Shard* const> owners,
                            std::span<const WriteOperation> operations,
                            std::span<const uint32_t> order, PreparedVectors& vectors,
                            std::span<WriteOutcome> outcomes);
  void log_chunk(std::span<const WriteOperation> operations, std::span<WriteOutcome> outcomes,
                 const Status& block, uint64_t position);
  Status append_chunk(std::span<WriteOutcome> outcomes, bool deletes_only, uint64_t position);
  WriteOutcome apply_one(const WriteOperation& operation, const Status& block);
  WriteOutcome write_document(const WriteOperation& operation, const Located& at,
                              std::string_view source, std::string_view routing);
  WriteOutcome update_document(WriteOperation operation, const Located& at);
  WriteOutcome delete_document(const WriteOperation& operation, const Located& at);
  Result<GrownMapping> parse(std::string_view source, std::string_view id);
  Status grow(GrownMapping& mapping, std::string_view id, std::string_view source,
              std::string_view routing);
  Result<MergedDocument> merge_update(const WriteOperation& operation, const UpdateRequest& request,
                                      const Located& at, StoredDocument& existing) const;
  Status store_document(const std::shared_ptr<const Mapping>& mapping, std::string_view id,
                        std::string_view source, const DocVersion& version, const Located& at);
  void store_delete(std::string_view id, const DocVersion& version, const Located& at);
  std::optional<PendingDelete> older_document(const Located& at) const;
  void relieve();

  // shard_refresh.cc, called with publish_mutex_ held
  Result<bool> refresh_once();
  void publish(std::vector<SegmentEntry> entries, bool drop_frozen);
  void warn_of_damage(const ShardSnapshot& next);
  void replace(std::span<const SegmentEntry> inputs, SegmentEntry merged);

  // shard_pin.cc
  Status ready_for_pin();
  void freeze();
  ShardPin pinned();

  // shard_flush.cc, called with flush_mutex_ or merge_mutex_ held
  Status flush_now();
  Status write_checkpoint();
  Status flush_memory(std::span<const SegmentEntry> entries);
  Result<SegmentEntry> write_segment(std::span<const SegmentEntry> inputs, VectorEffort effort,
                                     LongWork& work, const BytesWritten& wrote);
  Status write_manifest(uint64_t covered);
  void remove_garbage(const std::vector<uint64_t>& numbers);

  // shard_merge.cc
  std::shared_ptr<const ShardSnapshot> current() const;
  Result<bool> merge_in_memory();
  Result<bool> merge_on_disk(uint32_t max_segments);
  Result<SegmentEntry> write_merged(std::span<const SegmentEntry> inputs, bool behind);
  void swap_merged(std::span<const SegmentEntry> inputs, SegmentEntry merged);

  // shard_recover.cc
  Status replay(const ReplayRecord& replayed, LexicalEmbedder& embedder);
  std::shared_ptr<const Mapping> parse_leniently(std::string_view source);
  std::shared_ptr<const Mapping> parse_and_embed_leniently(const WalRecord& record,
                                                           LexicalEmbedder& embedder);

  const NodeServices& node_;
  IndexState& index_;
  const uint32_t index_number_;
  const uint32_t number_;
  SegmentFiles segment_files_;

  std::vector<SegmentInfo> listed_;  // the manifest's segments, for statistics; set by load()
  mutable std::mutex damage_mutex_;
  Status damage_;
  std::atomic<bool> damaged_{false};
  std::mutex open_mutex_;  // serialises opening; taken before all others
  Manifest on_disk_;       // until open_segments() has used it
  std::atomic<bool> is_open_{false};
  std::atomic<bool> stopping_{false};
  std::atomic<bool> abort_merges_{false};  // also set whenever stopping_ is

  std::mutex merge_mutex_;
  std::mutex flush_mutex_;
  std::mutex manifest_mutex_;
  std::atomic<uint64_t> next_file_number_{1};
  std::atomic<uint64_t> next_uid_{1};
  std::atomic<uint64_t> flushed_below_{0};

  std::mutex publish_mutex_;
  mutable std::mutex write_mutex_;
  std::unique_ptr<Memtable> active_;
  std::unique_ptr<Memtable> frozen_;  // being turned into a segment
  std::shared_ptr<const ShardSnapshot> current_;
  uint64_t refreshed_below_ = 0;  // operations with smaller sequence numbers are in segments
  Tombstones tombstones_;
  struct Unflushed {
    uint64_t below = 0;     // sequence number
    uint64_t position = 0;  // of the log
  };
  std::vector<Unflushed> unflushed_;  // published memtables that are durable only in the log
  // Files of segments that left the list; the manifest may still name them.
  std::vector<uint64_t> garbage_;
  uint64_t documents_ = 0;    // in segments, including deleted ones
  uint64_t last_seq_no_ = 0;  // of this shard
  std::vector<std::string> warnings_;
  WalFrame frame_;
  std::vector<Memtable::Undo> undo_;
  std::vector<uint32_t> chunk_;      // operations of the running chunk on this shard
  VectorSource* vectors_ = nullptr;  // of the running chunk
  ParsedDocument parsed_;
  std::string lenient_source_;  // parsed_ may point into it during recovery

  mutable std::mutex view_mutex_;
  std::shared_ptr<const ShardSnapshot> view_;
  SnapshotRing replaced_;
  HeldSnapshots held_;

  std::mutex replay_mutex_;
  std::vector<ReplayRecord> replay_;
  std::atomic<uint64_t> replay_total_{0};
  std::atomic<uint64_t> replay_done_{0};
  std::atomic<bool> needs_recovery_{false};
  std::atomic<uint64_t> replay_from_{Memtable::kNoPosition};  // first record still to replay

  std::atomic<bool> holding_{false};  // held_ is not empty
  std::atomic<bool> has_warnings_{false};
  std::atomic<bool> dirty_{false};
  std::atomic<bool> wants_merge_{false};
  std::atomic<uint64_t> first_unflushed_{Memtable::kNoPosition};
  std::atomic<uint64_t> unflushed_bytes_{0};
  std::atomic<uint64_t> flush_from_{0};
  std::atomic<uint64_t> owed_bytes_{0};  // this shard's part of node_.owed_bytes
  ShardCounters counters_;
};

}  // namespace quarry
