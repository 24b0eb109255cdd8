// constant_score: the documents of a filter, all scoring the boost.
#pragma once

#include "query/plan/compiler.h"

namespace quarry {

/// Payload: node filter.
Result<WeightPtr> compile_constant_score(ByteReader& reader, Compiler& compiler, Scope scope);

/// What `filter` matches, scoring `score`.
WeightPtr make_constant_score(WeightPtr filter, float score);

}  // namespace quarry
