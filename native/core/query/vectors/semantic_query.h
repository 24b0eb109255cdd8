// semantic: the documents of the shard whose text in a semantic_text field is nearest in meaning to
// a text, scored by how near it is.
#pragma once

#include "query/plan/compiler.h"

namespace quarry {

/// Payload: str field, str text, list<(str embedder, list<f32> vector)> of the text by remote
/// embedders, u32 k, u32 num_candidates (0: not given), u8 filters (0, 1), [node filter]. The text
/// is embedded by the field's embedder when the clause is compiled; the search runs when something
/// is asked of the weight for the first time.
Result<WeightPtr> compile_semantic(ByteReader& reader, Compiler& compiler, Scope scope);

}  // namespace quarry
