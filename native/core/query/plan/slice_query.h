// slice: one of `max` disjoint parts of all documents, told by their ids, so that a document is in the same part of every
// snapshot.
#pragma once

#include "query/plan/compiler.h"

namespace quarry {

/// Payload: u32 id, u32 max; id below max.
Result<WeightPtr> compile_slice(ByteReader& reader, Compiler& compiler, Scope scope);

}  // namespace quarry
