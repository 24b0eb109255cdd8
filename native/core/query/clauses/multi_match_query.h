// multi_match: one text against several fields; the score is the best field, the sum of the fields,
// or that of the fields blended into one.
#pragma once

#include "query/plan/compiler.h"

namespace quarry {

/// Payload: list<(str pattern, f32 boost)>, scalar text, u8 type, f32 tie_breaker (NaN: the type's
/// default), u32 slop, MatchOptions. An empty list: all text and keyword fields.
Result<WeightPtr> compile_multi_match(ByteReader& reader, Compiler& compiler, Scope scope);

}  // namespace quarry
