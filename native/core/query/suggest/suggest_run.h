// Executes the requests of suggesters for one index.
#pragma once

#include <cstdint>
#include <vector>

#include "base/status.h"
#include "query/suggest/spelling.h"

namespace quarry {

/// A shard and the snapshot to read.
struct SuggestShard {
  uint32_t shard = 0;
  const ShardView* view = nullptr;
};

/// Returns the whole reply of suggest_plan.h, errors included. `index`: the context of a search of
/// the index, without a shard.
std::vector<uint8_t> run_suggest(const SuggestRequest& request, const SearchContext& index,
                                 const std::vector<SuggestShard>& shards);

}  // namespace quarry
