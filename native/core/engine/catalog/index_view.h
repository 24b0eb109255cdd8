// The view that one request has of an index.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/stop_check.h"
#include "engine/catalog/index.h"

namespace quarry {

/// The snapshots of all shards of one index, taken once per request, so that statistics and hits
/// are consistent.
struct IndexView {
  std::shared_ptr<Index> index;
  std::shared_ptr<const Mapping> mapping;
  std::string name;
  std::vector<std::shared_ptr<const ShardSnapshot>> snapshots;
  std::vector<const ShardView*> shards;

  /// The segments of all shards.
  std::vector<const SegmentView*> segments() const;
  /// To be called after all reads: a result computed from unreadable data must not be returned
  /// (Shard::verify_read).
  Status verify_read() const;
  /// To be called after a search of one shard, which reads only statistics of the other shards.
  /// Their own searches verify those; if any mapping has failed, all shards are verified.
  Status verify_read(uint32_t shard) const;
};

/// Generations by index number and shard.
using Generations = std::map<std::pair<uint32_t, uint32_t>, uint64_t>;

/// Takes the newest snapshots, except where `wanted` names a generation. kNotReady while a shard
/// recovers. A call with a budget does not open the segments of a shard: its budget ends.
Result<IndexView> take_view(std::shared_ptr<Index> index, uint32_t number,
                            const Generations& wanted, CallBudget* budget = nullptr);

}  // namespace quarry
