// exists: documents with any value of a field; an object's name or a pattern stands for all fields
// below it.
#pragma once

#include "query/plan/compiler.h"

namespace quarry {

/// Payload: str field.
Result<WeightPtr> compile_exists(ByteReader& reader, Compiler& compiler, Scope scope);

}  // namespace quarry
