// slice: one of `max` disjoint parts of all documents. The part follows from the _id, so that a
// document is in the same part in every snapshot.
#pragma once

#include "query/plan/compiler.h"

namespace quarry {

/// Payload: u32 id, u32 max; `id` < `max`.
Result<WeightPtr> compile_slice(ByteReader& reader, Compiler& compiler, Scope scope);

}  // namespace quarry
