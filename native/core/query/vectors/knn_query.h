// knn: the documents of the shard with the nearest vectors to a given one, scored by similarity.
#pragma once

#include "query/plan/compiler.h"

namespace quarry {

/// Payload: str field, list<f32> vector, u32 k, u32 num_candidates (0: not given), f32 similarity
/// (NaN: none), u8 filters (0, 1), [node filter]. The search runs on the first use of the weight's
/// documents.
Result<WeightPtr> compile_knn(ByteReader& reader, Compiler& compiler, Scope scope);

}  // namespace quarry
