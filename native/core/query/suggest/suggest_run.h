// Answers what suggesters ask of one index.
#pragma once

#include <cstdint>
#include <vector>

#include "base/status.h"
#include "query/suggest/spelling.h"

namespace quarry {

/// A shard and the snapshot that is asked.
struct SuggestShard {
  uint32_t shard = 0;
  const ShardView* view = nullptr;
};

/// The whole reply of suggest_plan.h, errors included.
/// `index`: what a search of it would have, without a shard.
std::vector<uint8_t> run_suggest(const SuggestRequest& request, const SearchContext& index,
                                 const std::vector<SuggestShard>& shards);

}  // namespace quarry
