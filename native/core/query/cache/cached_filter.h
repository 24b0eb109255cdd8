// Caches filter clauses, and clauses that score a constant, in the filter cache.
#pragma once

#include <cstdint>

#include "query/plan/compiler.h"
#include "query/plan/query.h"

namespace quarry {

/// `node` is the clause in the plan. Its bytes are the key, so its boost must not affect the
/// documents. Results after the search's time is up are not cached. Documents score `score`.
WeightPtr make_cached_filter(WeightPtr inner, const PlanNode& node, const Compiler& compiler,
                             float score = 0);

}  // namespace quarry
