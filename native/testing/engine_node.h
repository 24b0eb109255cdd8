// An engine on a test disk, spoken to as the coordinator does: bytes in, bytes out, decoded for the test.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "engine/engine.h"
#include "engine/item_results.h"
#include "query/plan/hits.h"
#include "testing/fault_file_system.h"
#include "testing/plan_frame.h"

namespace quarry::testing {

/// Stands still unless the test moves it.
class ManualClock final : public Clock {
 public:
  int64_t wall_ms() const override { return now_ms_.load(); }
  int64_t steady_ns() const override { return now_ms_.load() * 1000000; }
  void advance_ms(int64_t by) { now_ms_ += by; }

 private:
  std::atomic<int64_t> now_ms_{1700000000000};
};

struct Item {
  OpType op = OpType::kIndex;
  ItemResult result = ItemResult::kError;
  uint16_t status = 0;
  uint32_t index = 0;
  uint32_t shard = 0;
  uint32_t primary_term = 0;
  uint64_t version = 0;
  uint64_t seq_no = 0;
  std::string name;
  std::string id;
  ErrorType error = ErrorType::kOk;
  std::string reason;
  std::string get;
};

struct BulkAnswer {
  ErrorType error = ErrorType::kOk;
  std::string reason;
  uint64_t position = 0;
  std::vector<std::string> missing;
  std::vector<ShardId> touched;
  std::vector<Item> items;
};

/// One hit, with what fetch brought of it.
struct Hit {
  uint32_t shard = 0;
  uint32_t doc = 0;
  uint64_t seq_no = 0;
};
struct SearchAnswer {
  ErrorType error = ErrorType::kOk;
  std::string reason;
  uint64_t total = 0;
  std::vector<Hit> hits;               // by shard, then rank
  std::vector<uint64_t> generations;   // per shard asked
  std::vector<FetchedDocument> page;   // of an inline fetch
};

struct FetchAnswer {
  ErrorType error = ErrorType::kOk;
  std::string reason;
  std::vector<FetchedDocument> documents;
};

BulkAnswer decode_items(Bytes bytes);
SearchAnswer decode_search(Bytes bytes);
FetchAnswer decode_fetched(Bytes bytes);

/// Names of the indexes it made are known to it.
class EngineNode {
 public:
  explicit EngineNode(std::unique_ptr<FaultFileSystem> disk = std::make_unique<FaultFileSystem>());

  /// Opens, and replays and checkpoints what there is to.
  Status open();
  Status close();
  /// The power goes: the disk as it is then, in a new node with the same names. The engine of this one is dropped.
  std::unique_ptr<EngineNode> crash(uint64_t seed);

  uint32_t create(const std::string& name, const std::string& members = "");
  /// An index that the engine made in another way, by its description.
  uint32_t adopt(const std::string& name, std::string_view description);
  /// `vectors`: bytes of a VectorTable.
  BulkAnswer bulk(std::string_view body, std::string_view default_index = "", Bytes vectors = {});
  Result<std::vector<uint8_t>> pending_bytes(std::string_view body,
                                             std::string_view default_index = "");
  /// By embedder: the texts that such a bulk needs vectors of.
  std::map<std::string, std::vector<std::string>> pending(std::string_view body,
                                                          std::string_view default_index = "");
  /// One index operation; the item.
  Item put(const std::string& index, std::string_view id, std::string_view source);
  Item erase(const std::string& index, std::string_view id);
  std::optional<FetchedDocument> get(const std::string& index, std::string_view id,
                                     bool realtime = true, std::string_view routing = "");
  SearchAnswer search(const std::string& index, const NodeBytes& query, uint32_t window = 10000);
  /// `_id` to source of everything that match_all finds, by fetching it.
  std::map<std::string, std::string> all(const std::string& index);
  FetchAnswer fetch(ShardId shard, uint64_t generation, const std::vector<uint32_t>& docs);
  uint32_t shards_of(const std::string& index) const { return shards_.at(index); }
  uint32_t number_of(const std::string& index) const { return numbers_.at(index); }
  /// Every shard of the index.
  std::vector<ShardId> shards(const std::string& index) const;
  void refresh(const std::string& index);
  Status flush(const std::string& index);
  bool merge(const std::string& index, uint32_t max_segments);

  std::unique_ptr<FaultFileSystem> disk;
  ManualClock clock;
  EngineOptions options;
  std::unique_ptr<Engine> engine;

 private:
  std::vector<uint8_t> bulk_header(std::string_view default_index) const;

  std::map<std::string, uint32_t> numbers_;
  std::map<std::string, uint32_t> shards_;
};

}  // namespace quarry::testing
