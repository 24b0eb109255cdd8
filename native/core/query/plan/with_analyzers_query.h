// with_analyzers: a query string whose analyzers must exist, even if no word of it uses them.
#pragma once

#include "query/plan/compiler.h"

namespace quarry {

/// Payload: str clause, list<(str parameter, str analyzer)>, node.
Result<WeightPtr> compile_with_analyzers(ByteReader& reader, Compiler& compiler, Scope scope);

}  // namespace quarry
