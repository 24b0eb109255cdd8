// Statistics as JSON, for _stats, _segments, _cat and metrics.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/catalog/index_table.h"
#include "query/cache/filter_cache.h"
#include "wal/log_writer.h"

namespace quarry {

/// {"docs","deleted","segments","bytes", totals (kTotalNames), …,
/// "shards":[{"shard", the same, "segments":[…]}]}.
/// `earlier`: the counts of the index up to the last time it was closed.
std::string index_stats_json(Index& index, const ShardTotals& earlier);

/// Sums over all indexes, the log and the caches.
std::string node_stats_json(const IndexTable::Sums& sums, const WalWriter& log,
                            const FilterCache& filters);

}  // namespace quarry
