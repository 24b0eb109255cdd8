// A filter clause seen through the filter cache.
#pragma once

#include <cstdint>

#include "query/filter_cache.h"
#include "query/query.h"

namespace quarry {

/// Lookups that are as cheap as a cached set are not worth its memory: single terms, ids,
/// match_all.
bool is_cacheable_filter(PlanOp op);
/// `node` is the clause as the plan has it; its bytes are the key, so its boost must not matter.
/// What was found when `stop` had expired is not kept.
WeightPtr make_cached_filter(WeightPtr inner, const PlanNode& node, FilterCache& cache,
                             uint64_t mapping_version, const StopCheck& stop);

}  // namespace quarry
