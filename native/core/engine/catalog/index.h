// One index: its spec, its mapping, the sequence number counter and its shards.
// Folder data/indices/<number>/: META (checked JSON: number, uuid, spec, mappings), and a folder per shard.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "engine/catalog/index_folder.h"
#include "engine/recovery/index_pins.h"
#include "json/value.h"
#include "shard/index_state.h"
#include "shard/shard.h"

namespace quarry {

inline constexpr uint32_t kMaxShards = 1024;

/// Thread-safe. Lives as long as somebody works on it, also after it was dropped.
class Index final : public IndexState {
 public:
  /// Checks a spec and writes the folder `dir` for it; the caller makes it visible by renaming it to `final_dir`.
  static Result<std::shared_ptr<Index>> create(const NodeServices& node, uint32_t number,
                                               std::string_view spec_json, const std::string& dir,
                                               const std::string& final_dir);
  /// Damaged shards fail alone, later; ErrorType::kCorrupt: the metadata is damaged. Other errors may pass.
  static Result<std::shared_ptr<Index>> load(const NodeServices& node, const std::string& dir);

  Index(const NodeServices& node, uint32_t number, std::string uuid, JsonValue spec,
        std::shared_ptr<const Mapping> mapping, std::string dir, uint32_t format);

  /// The spec and mapping of one moment.
  struct State {
    JsonValue spec;
    std::shared_ptr<const Mapping> mapping;
  };
  /// A change that is worked out and not shown yet. Until it is gone nothing else changes the index.
  struct StagedChange {
    std::unique_lock<std::mutex> lock;
    State after;
  };

  uint32_t number() const { return number_; }
  const std::string& name() const { return name_; }
  std::string settings_json() const;
  std::string describe() const;
  Status put_mapping(std::string_view mappings_json);
  Status put_spec(std::string_view members_json);
  /// The same in three steps, of which the second cannot fail: for changes of several indexes, whose record is another
  /// file until save_mapping() has brought META up to date. Either part may be empty. Callers stage indexes by number.
  Result<StagedChange> stage(std::string_view members_json, std::string_view mappings_json);
  void show(StagedChange change);
  /// The description after both, either of which may be empty; nothing is changed.
  Result<std::string> check_change(std::string_view members_json,
                                   std::string_view mappings_json) const;

  /// All of it, at one moment between two chunks of writes.
  Result<std::shared_ptr<const IndexPin>> pin();

  /// Sums over the shards.
  ShardStats stats() const;
  /// Closing it now loses nothing.
  bool owes_nothing() const;

  size_t shard_count() const { return shards_.size(); }
  /// `number` < shard_count().
  Shard& shard(uint32_t number) { return *shards_[number]; }
  uint32_t shard_of(std::string_view id, std::string_view routing) const;
  /// Work on it ends soon or is refused, until resume().
  void stop();
  void resume();

  /// Log position of the oldest mapping change that META lacks.
  uint64_t first_unsaved() const { return first_unsaved_.load(); }
  /// A record found by the scan of the log.
  void replay_mapping_record(std::string_view mappings_json, uint64_t position);
  void saw_seq_no(uint64_t seq_no);
  uint64_t seq_no_count() const { return next_seq_no_.load(); }

  std::shared_ptr<const Mapping> mapping() const override;
  Result<bool> grow_mapping(const GrownMapping& grown) override;
  Result<std::shared_ptr<const Mapping>> replay_mapping(std::string_view mappings_json) override;
  uint64_t next_seq_no() override { return next_seq_no_.fetch_add(1); }
  Status save_mapping() override;

 private:
  void publish(std::shared_ptr<const Mapping> mapping);
  State state() const;
  static Status change(State& state, std::string_view members_json, std::string_view mappings_json);
  std::string describe(const State& state) const;
  static Status merge_mappings(State& state, std::string_view mappings_json);
  static Status set_members(State& state, const JsonValue& members);
  template <typename Change>
  Status change_durably(Change change);
  Status save(const State& state);
  const NodeServices& node_;
  const uint32_t number_;
  const std::string uuid_;
  const std::string name_;  // an index keeps its name
  const std::string dir_;
  const uint32_t format_;  // of META
  std::vector<std::unique_ptr<Shard>> shards_;
  std::atomic<uint64_t> next_seq_no_{0};
  std::atomic<uint64_t> first_unsaved_{Memtable::kNoPosition};
  std::atomic<bool> spec_unsaved_{false};  // META lacks what show() showed

  std::mutex save_mutex_;            // one write of META at a time; taken before change_mutex_
  mutable std::mutex change_mutex_;  // one change of mapping or spec at a time; META is not written under it
  JsonValue spec_;
  uint64_t shown_ = 0;  // calls of show(); under change_mutex_
  mutable std::mutex view_mutex_;  // the pointer below; held for a pointer copy
  std::shared_ptr<const Mapping> mapping_;
};

}  // namespace quarry
