// boosting: the documents of a clause, with lower scores where a second clause matches too.
#pragma once

#include "query/plan/compiler.h"

namespace quarry {

/// Payload: node positive, node negative, f32 negative_boost.
Result<WeightPtr> compile_boosting(ByteReader& reader, Compiler& compiler, Scope scope);

}  // namespace quarry
