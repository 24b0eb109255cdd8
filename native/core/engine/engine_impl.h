// The implementation of Engine: the table of indexes, the log and the caches. Each kind of call has
// its own source file.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <shared_mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/cancel_table.h"
#include "base/sync_watch.h"
#include "engine/auto_ids.h"
#include "engine/catalog/index_table.h"
#include "engine/catalog/mapping_cache.h"
#include "engine/catalog/node_identity.h"
#include "engine/change_record.h"
#include "engine/engine.h"
#include "engine/write_request.h"
#include "query/cache/filter_cache.h"
#include "query/plan/search.h"
#include "query/vectors/vector_searchers.h"
#include "text/analysis/embedder_pool.h"

namespace quarry {

class PendingTexts;  // shard/pending_texts.h

class EngineImpl final : public Engine {
 public:
  explicit EngineImpl(const EngineOptions& options);
  ~EngineImpl() override;

  // engine_open.cc
  Status start();
  Status close(int64_t checkpoint_ms) override;
  std::vector<ShardId> needs_recovery() override;
  ReplayProgress replay_progress() override;
  Status recover(ShardId shard) override;

  // engine_admin.cc
  Result<std::string> create_index(std::string_view spec_json) override;
  Status drop_index(uint32_t index) override;
  Result<std::string> put_mapping(uint32_t index, std::string_view mappings_json) override;
  Result<std::string> put_spec(uint32_t index, std::string_view members_json) override;
  Result<std::string> check_change(uint32_t index, std::string_view members_json,
                                   std::string_view mappings_json) override;
  Status put_out_of_service(uint32_t index, std::string_view reason) override;
  Result<std::string> describe(uint32_t index) override;
  Result<std::string> describe_all() override;
  std::string damages() override;
  Result<std::string> index_stats(uint32_t index) override;
  std::string node_stats() override;
  Result<std::string> analyze(uint32_t index, std::string_view request_json) override;

  // engine_changes.cc
  Result<std::string> change_indexes(std::string_view changes_json) override;
  Status finish_changes() override;

  // engine_write.cc
  Result<WriteReply> bulk(Bytes request, Bytes ndjson, Bytes vectors) override;
  Result<WriteReply> write(Bytes operations, Bytes vectors) override;
  Result<std::vector<uint8_t>> pending_texts(Bytes request, Bytes ndjson) override;

  // engine_copy.cc
  Result<std::string> pin_index(uint32_t index) override;
  Result<std::vector<uint8_t>> read_pinned(uint32_t pin, uint32_t file, uint64_t offset,
                                           uint32_t length) override;
  Status unpin(uint32_t pin) override;
  Result<std::string> prepare_restore(std::string_view request_json) override;
  Status check_restore(uint32_t number, std::string_view request_json) override;
  Result<std::string> finish_restore(uint32_t number, std::string_view spec_json) override;
  Status abort_restore(uint32_t number) override;

  // engine_search.cc
  std::vector<uint8_t> get(uint32_t index, std::string_view id, std::string_view routing,
                           bool realtime, Bytes plan) override;
  AttemptReply search(const std::vector<ShardId>& shards, Bytes plan, CallLimits limits) override;
  AttemptReply fetch(ShardId shard, uint64_t generation, const std::vector<uint32_t>& docs,
                     Bytes plan, CallLimits limits) override;
  void cancel(uint64_t token) override { cancels_.cancel(token); }
  Result<uint64_t> acquire_snapshot(ShardId shard) override;
  void release_snapshot(ShardId shard, uint64_t generation) override;

  // engine_suggest.cc
  std::vector<uint8_t> suggest(uint32_t index, Bytes request, CallLimits limits) override;
  // engine_links.cc
  std::vector<uint8_t> walk_links(uint32_t index, Bytes request, CallLimits limits) override;
  std::vector<uint8_t> count_links(uint32_t index, const std::vector<uint32_t>& nodes,
                                   Bytes request, CallLimits limits) override;

  // engine_maintenance.cc
  Result<bool> refresh(ShardId shard) override;
  Status flush(ShardId shard) override;
  Result<bool> merge(ShardId shard, uint32_t max_segments) override;
  std::vector<ShardId> dirty_shards() override;
  std::vector<ShardId> flush_candidates() override;
  std::vector<ShardId> merge_candidates() override;
  std::vector<std::string> take_warnings() override;
  std::vector<ShardId> unflushed_shards() override;
  uint32_t close_idle() override;
  void set_merge_limit(uint64_t bytes_per_sec) override { pace_.set_limit(bytes_per_sec); }
  void abort_merges() override;
  Result<WalSync> sync_wal() override;
  Status write_state() override;

 private:
  /// A shard with the index that keeps it alive.
  struct OpenShard {
    std::shared_ptr<Index> index;
    Shard* shard = nullptr;
  };
  /// With a budget as IndexTable::find().
  Result<std::shared_ptr<Index>> find_index(uint32_t number, CallBudget* budget = nullptr);
  Result<OpenShard> find_shard(ShardId id, CallBudget* budget = nullptr);
  template <typename Wanted>
  std::vector<ShardId> list_shards(Wanted wanted) const;

  void add_unused(std::vector<ShardId>& shards) const;

  struct Born;
  struct PreparedChanges;
  Result<PreparedChanges> prepare_changes(const JsonValue& changes);
  Status prepare_birth(const JsonValue& change, PreparedChanges& prepared);
  void forget_births(const PreparedChanges& prepared);
  Status bear(PreparedChanges& prepared);
  Status show(const PreparedChanges& prepared);
  std::string described(const PreparedChanges& prepared);
  Status finish_changes_locked();
  Status rename_as_recorded();
  void change_as_recorded();
  std::string change_record_path() const { return options_.data_dir + "/CHANGES"; }

  Status drop_all(const std::vector<uint32_t>& numbers);

  Status load_indices();
  void load_index(const std::string& path, const std::string& name);
  Status scan_log();
  Status note_record(const WalRecord& record, uint64_t position);
  Status settle_names();
  Status release_log(bool all);

  Result<std::string> restored_folder(uint32_t number, bool must_be_checked, bool checked);
  Result<std::string> restored_folder_locked(uint32_t number, bool must_be_checked, bool checked);

  struct Batch;
  void run_slice(Batch& batch);
  void direct(Batch& batch, uint32_t at);
  void note_texts(AddressedOperation& item, PendingTexts& texts);
  void refuse_misdirected(AddressedOperation& item, const std::shared_ptr<Index>& index) const;

  Result<FetchedDocument> get_document(uint32_t number, std::string_view id,
                                       std::string_view routing, bool realtime,
                                       const FetchSpec& fetch);

  std::string indices_dir() const { return options_.data_dir + "/indices"; }
  std::string index_dir(uint32_t number) const {
    return indices_dir() + "/" + std::to_string(number);
  }

  const EngineOptions options_;
  SyncWatch files_;  // all writes go through it, so that failed syncs are seen
  std::shared_ptr<void> lock_;
  std::atomic<uint64_t> owed_bytes_{0};
  std::atomic<uint64_t> held_bytes_{0};
  WorkPace pace_;
  NodeServices node_;
  std::unique_ptr<DiskSpace> space_;
  std::unique_ptr<WalWriter> log_;
  FilterCache filters_;
  CancelTable cancels_;
  MappingCache mappings_;
  EmbedderPool embedders_;
  VectorSearcherPool searchers_{&embedders_};
  AutoIds ids_;

  std::mutex admin_mutex_;  // serialises changes of indexes
  NodeIdentity identity_;
  // Numbers of the folders of a restore, with whether each was checked; guarded by admin_mutex_.
  std::map<uint32_t, bool> restoring_;
  // The content of the change record, while the file exists; guarded by admin_mutex_.
  std::optional<ChangeRecord> unfinished_;
  IndexTable indices_;
  IndexPins pins_;

  std::map<uint32_t, Covered> covered_;  // of closed indexes, during the scan of the log
  // Shards whose manifest covers log records, during the scan of the log.
  std::set<std::pair<uint32_t, uint32_t>> relied_on_;
  std::mutex replay_mutex_;
  std::vector<std::shared_ptr<ByteSource>> replayed_files_;  // until every shard has been replayed
};

}  // namespace quarry
