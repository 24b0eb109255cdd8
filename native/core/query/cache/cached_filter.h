// Caches filter clauses, and clauses that score a constant, in the filter cache.
#pragma once

#include <cstdint>

#include "query/plan/compiler.h"
#include "query/plan/query.h"

namespace quarry {

/// False for clauses whose evaluation is as cheap as a cached set, which are not worth the memory:
/// single terms, ids, match_all.
bool is_cacheable_filter(PlanOp op);
/// `node` is the clause in the plan. Its bytes are the key, so its boost must not affect the
/// documents. Results after the search's time is up are not cached. Documents score `score`.
WeightPtr make_cached_filter(WeightPtr inner, const PlanNode& node, const Compiler& compiler,
                             float score = 0);
/// True for clauses that walk a whole dictionary term by term and score all documents alike; these
/// are cached even if they are scored.
bool is_costly_constant(PlanOp op);

}  // namespace quarry
