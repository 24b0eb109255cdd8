// dis_max: the best of several clauses, plus a share of the others.
#pragma once

#include <vector>

#include "query/plan/compiler.h"

namespace quarry {

/// Payload: f32 tie_breaker, list<node>.
Result<WeightPtr> compile_dis_max(ByteReader& reader, Compiler& compiler, Scope scope);

WeightPtr make_dis_max(std::vector<WeightPtr> clauses, float tie_breaker, bool scores);

}  // namespace quarry
