// each_field: repeats one clause of a query string over all fields that match some patterns.
#pragma once

#include "query/plan/compiler.h"

namespace quarry {

/// Payload: list<(str pattern, f32 boost)>, f32 tie_breaker, u8 bits (1 lenient, 2 the analyzer is
/// for keyword fields as well), opt analyzer, node (prefix, wildcard, regexp, fuzzy or range) with
/// an empty field. A document scores its best field.
Result<WeightPtr> compile_each_field(ByteReader& reader, Compiler& compiler, Scope scope);

}  // namespace quarry
