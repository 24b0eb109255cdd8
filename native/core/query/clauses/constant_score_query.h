// constant_score: the documents of a filter, all with the boost as their score.
#pragma once

#include "query/plan/compiler.h"

namespace quarry {

/// Payload: node filter.
Result<WeightPtr> compile_constant_score(ByteReader& reader, Compiler& compiler, Scope scope);

/// Matches the documents of `filter` with the score `score`.
WeightPtr make_constant_score(WeightPtr filter, float score);

}  // namespace quarry
