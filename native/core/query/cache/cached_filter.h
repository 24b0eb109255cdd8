// A filter clause, or one that scores a constant, seen through the filter cache.
#pragma once

#include <cstdint>

#include "query/plan/compiler.h"
#include "query/plan/query.h"

namespace quarry {

/// Lookups that are as cheap as a cached set are not worth its memory: single terms, ids,
/// match_all.
bool is_cacheable_filter(PlanOp op);
/// `node` is the clause as the plan has it; its bytes are the key, so its boost must not matter.
/// What was found when the search's time was up is not kept. Documents score `score`.
WeightPtr make_cached_filter(WeightPtr inner, const PlanNode& node, const Compiler& compiler,
                             float score = 0);
/// Clauses that are found term by term of a whole dictionary and score all documents alike: kept where they are scored,
/// too.
bool is_costly_constant(PlanOp op);

}  // namespace quarry
