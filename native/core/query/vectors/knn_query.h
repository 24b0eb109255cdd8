// knn: the documents of the shard whose vectors are nearest to one, scored by how near they are.
#pragma once

#include "query/plan/compiler.h"

namespace quarry {

/// Payload: str field, list<f32> vector, u32 k, u32 num_candidates (0: not given), f32 similarity
/// (NaN: none), u8 filters (0, 1), [node filter]. The search runs when something is asked of the
/// weight for the first time.
Result<WeightPtr> compile_knn(ByteReader& reader, Compiler& compiler, Scope scope);

}  // namespace quarry
