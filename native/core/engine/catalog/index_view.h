// What one request sees of an index.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine/catalog/index.h"

namespace quarry {

/// The snapshots of all shards of one index, taken once for a request: statistics and hits are of one moment.
struct IndexView {
  std::shared_ptr<Index> index;
  std::shared_ptr<const Mapping> mapping;
  std::string name;
  std::vector<std::shared_ptr<const ShardSnapshot>> snapshots;
  std::vector<const ShardView*> shards;

  /// Of all shards.
  std::vector<const SegmentView*> segments() const;
  /// Asked when all was read: an answer made from what could not be read is none (Shard::verify_read).
  Status verify_read() const;
  /// After a search of one of its shards: of the others it has read statistics alone, and their own searches look at them.
  Status verify_read(uint32_t shard) const;
};

/// Generations by index number and shard.
using Generations = std::map<std::pair<uint32_t, uint32_t>, uint64_t>;

/// The newest snapshots but for those that `wanted` names. kNotReady while a shard recovers.
Result<IndexView> take_view(std::shared_ptr<Index> index, uint32_t number,
                            const Generations& wanted);

}  // namespace quarry
