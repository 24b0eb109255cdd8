// distance_feature: documents with a date; the score grows as the date gets closer to an origin.
#pragma once

#include "query/plan/compiler.h"

namespace quarry {

/// Payload: str field, scalar origin, scalar pivot.
Result<WeightPtr> compile_distance_feature(ByteReader& reader, Compiler& compiler, Scope scope);

}  // namespace quarry
