// distance_feature: documents with a date, the higher the nearer it is to an origin.
#pragma once

#include "query/plan/compiler.h"

namespace quarry {

/// Payload: str field, scalar origin, scalar pivot.
Result<WeightPtr> compile_distance_feature(ByteReader& reader, Compiler& compiler, Scope scope);

}  // namespace quarry
