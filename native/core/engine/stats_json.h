// Statistics as JSON, for _stats, _segments, _cat and metrics.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/index.h"
#include "query/filter_cache.h"
#include "wal/log_writer.h"

namespace quarry {

/// {"docs","deleted","segments","bytes", totals (kTotalNames), …, "shards":[{"shard", the same, "segments":[…]}]}.
std::string index_stats_json(Index& index);

/// Sums over all indexes, the log and the caches.
std::string node_stats_json(const std::vector<std::shared_ptr<Index>>& indices,
                            const WalWriter& log, const FilterCache& filters);

}  // namespace quarry
