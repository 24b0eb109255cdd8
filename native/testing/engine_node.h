// An engine on a simulated disk, called in the same way as by the coordinator: requests and
// responses are bytes, which are decoded for the test.
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

/// Stands still unless the test advances it.
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

/// One hit, with the parts of the document that the fetch phase returned.
struct Hit {
  uint32_t shard = 0;
  uint32_t doc = 0;
  uint64_t seq_no = 0;
};
struct SearchAnswer {
  ErrorType error = ErrorType::kOk;
  std::string reason;
  uint64_t total = 0;
  std::vector<Hit> hits;              // by shard, then by rank
  std::vector<uint64_t> generations;  // one per requested shard
  std::vector<FetchedDocument> page;  // of an inline fetch
};

struct FetchAnswer {
  ErrorType error = ErrorType::kOk;
  std::string reason;
  std::vector<FetchedDocument> documents;
};

BulkAnswer decode_items(Bytes bytes);
SearchAnswer decode_search(Bytes bytes);
FetchAnswer decode_fetched(Bytes bytes);

/// Indexes created through this object can be referred to by name.
class EngineNode {
 public:
  explicit EngineNode(std::unique_ptr<FaultFileSystem> disk = std::make_unique<FaultFileSystem>());

  /// Opens the engine, with replay and a checkpoint if needed.
  Status open();
  Status close();
  /// Simulates a power cut: returns a new node with the same names on the disk as it is after the
  /// cut. The engine of this node is dropped.
  std::unique_ptr<EngineNode> crash(uint64_t seed);

  uint32_t create(const std::string& name, const std::string& members = "");
  /// Adds an index that the engine created in another way, by its description.
  uint32_t adopt(const std::string& name, std::string_view description);
  /// `vectors` are the bytes of a VectorTable.
  BulkAnswer bulk(std::string_view body, std::string_view default_index = "", Bytes vectors = {});
  Result<std::vector<uint8_t>> pending_bytes(std::string_view body,
                                             std::string_view default_index = "");
  /// The texts for which such a bulk request needs vectors, by embedder.
  std::map<std::string, std::vector<std::string>> pending(std::string_view body,
                                                          std::string_view default_index = "");
  /// Runs one index operation and returns its item.
  Item put(const std::string& index, std::string_view id, std::string_view source);
  Item erase(const std::string& index, std::string_view id);
  std::optional<FetchedDocument> get(const std::string& index, std::string_view id,
                                     bool realtime = true, std::string_view routing = "");
  SearchAnswer search(const std::string& index, const NodeBytes& query, uint32_t window = 10000);
  /// The sources of all documents that match_all finds, fetched, by `_id`.
  std::map<std::string, std::string> all(const std::string& index);
  FetchAnswer fetch(ShardId shard, uint64_t generation, const std::vector<uint32_t>& docs);
  uint32_t shards_of(const std::string& index) const { return shards_.at(index); }
  uint32_t number_of(const std::string& index) const { return numbers_.at(index); }
  /// All shards of the index.
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
