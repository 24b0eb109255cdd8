// A node in a simulation: an engine on a disk with faults, called in the same way as by the
// coordinator. Unlike testing::EngineNode it returns errors to the caller instead of expecting
// success.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "testing/engine_node.h"

namespace quarry::faults {

using testing::FaultFileSystem;
using testing::Item;
using testing::ManualClock;

/// A document as returned by a read.
struct Seen {
  std::string source;
  uint64_t version = 0;
};

struct IndexSeen {
  uint32_t number = 0;
  uint32_t shards = 1;
  std::string description;
};

class Node {
 public:
  explicit Node(const EngineOptions& settings);

  /// Starts the engine, replays the log and writes the first checkpoint, as the coordinator does
  /// before it is ready.
  Status open();
  /// Ends the process without a shutdown.
  void kill() { engine.reset(); }
  /// Restarts after a kill or an end at a kill point, without a power cut.
  void revive();
  /// Cuts the power and restarts.
  void cut_power(uint64_t seed);

  Result<uint32_t> create(const std::string& name, const std::string& members);
  /// The items in order, or the error of the request. Texts that need vectors are embedded first.
  Result<std::vector<Item>> bulk(const std::string& name, uint32_t number, std::string_view body);
  Result<std::optional<Seen>> get(uint32_t index, const std::string& id);
  /// Every document that a query finds, by id. Fails on a duplicate.
  Result<std::map<std::string, Seen>> search(uint32_t index, uint32_t shards,
                                             const testing::NodeBytes& query,
                                             uint32_t window = 10000);
  /// By name; fails if two indexes have the same name.
  Result<std::map<std::string, IndexSeen>> indices();

  std::unique_ptr<FaultFileSystem> disk = std::make_unique<FaultFileSystem>();
  ManualClock clock;
  EngineOptions options;
  std::unique_ptr<Engine> engine;
};

}  // namespace quarry::faults
