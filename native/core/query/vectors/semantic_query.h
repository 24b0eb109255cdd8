// semantic: the documents of the shard whose text in a semantic_text field is semantically nearest
// to a text, scored by similarity.
#pragma once

#include "query/plan/compiler.h"

namespace quarry {

/// Payload: str field, str text, list<(str embedder, list<f32> vector)> of the text by remote
/// embedders, u32 k, u32 num_candidates (0: not given), u8 filters (0, 1), [node filter]. The
/// field's embedder embeds the text when the clause is compiled; the search runs on the first use
/// of the weight's documents.
Result<WeightPtr> compile_semantic(ByteReader& reader, Compiler& compiler, Scope scope);

}  // namespace quarry
