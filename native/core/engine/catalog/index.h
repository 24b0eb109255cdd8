// One index: its spec, its mapping, the sequence number counter and its shards. The folder
// data/indices/<number>/ holds META (checked JSON: number, uuid, spec, mappings) and one folder per
// shard.
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

/// Thread-safe. Shared by its users: it remains alive while a call uses it, also after it was
/// dropped.
class Index final : public IndexState {
 public:
  /// Checks a spec and writes the folder `dir` for it. The caller makes the index visible by
  /// renaming the folder to `final_dir`.
  static Result<std::shared_ptr<Index>> create(const NodeServices& node, uint32_t number,
                                               std::string_view spec_json, const std::string& dir,
                                               const std::string& final_dir);
  /// Damaged shards do not fail the loading; their calls fail later. ErrorType::kCorrupt: the
  /// metadata is damaged. Other errors may be temporary.
  static Result<std::shared_ptr<Index>> load(const NodeServices& node, const std::string& dir);

  Index(const NodeServices& node, uint32_t number, std::string uuid, JsonValue spec,
        std::shared_ptr<const Mapping> mapping, std::string dir, uint32_t format);

  /// Spec and mapping of one moment.
  struct State {
    JsonValue spec;
    std::shared_ptr<const Mapping> mapping;
  };
  /// A change that is prepared but not visible yet. While it exists, no other thread can change the
  /// index.
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
  /// put_spec() and put_mapping() in three steps for changes of several indexes: stage(), show(),
  /// which cannot fail, and save_mapping(). Until save_mapping() has written META, the change is
  /// recorded in another file. Either part may be empty. Callers stage several indexes in ascending
  /// order of their numbers.
  Result<StagedChange> stage(std::string_view members_json, std::string_view mappings_json);
  void show(StagedChange change);
  /// The description that both changes would give, either of which may be empty. Changes nothing.
  Result<std::string> check_change(std::string_view members_json,
                                   std::string_view mappings_json) const;

  /// Pins all shards as of one moment between two chunks of writes.
  Result<std::shared_ptr<const IndexPin>> pin();

  /// Sums over the shards.
  ShardStats stats() const;
  /// Whether the index can be closed without losing anything.
  bool owes_nothing() const;

  size_t shard_count() const { return shards_.size(); }
  /// `number` < shard_count().
  Shard& shard(uint32_t number) { return *shards_[number]; }
  uint32_t shard_of(std::string_view id, std::string_view routing) const;
  /// Running work on the index ends soon and new work is refused, until resume().
  void stop();
  void resume();

  /// Log position of the oldest mapping change that META lacks.
  uint64_t first_unsaved() const { return first_unsaved_.load(); }
  /// Applies a mapping record that the scan of the log found.
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
  const std::string name_;  // the name of an index never changes
  const std::string dir_;
  const uint32_t format_;  // of META
  std::vector<std::unique_ptr<Shard>> shards_;
  std::atomic<uint64_t> next_seq_no_{0};
  std::atomic<uint64_t> first_unsaved_{Memtable::kNoPosition};
  std::atomic<bool> spec_unsaved_{false};  // META lacks a change made by show()

  std::mutex save_mutex_;  // serialises writes of META; taken before change_mutex_
  // Serialises changes of mapping and spec; META is not written under it.
  mutable std::mutex change_mutex_;
  JsonValue spec_;
  uint64_t shown_ = 0;             // number of calls of show(); guarded by change_mutex_
  mutable std::mutex view_mutex_;  // guards the pointer below; held only to copy it
  std::shared_ptr<const Mapping> mapping_;
};

}  // namespace quarry
