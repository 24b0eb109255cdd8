// doc_scores: documents that an earlier phase of the request found, with the scores of that phase.
#pragma once

#include "query/plan/compiler.h"

namespace quarry {

/// Payload: list<(u32 index number, u32 shard, list<(u32 doc, f32 score)>)>. A document beyond the
/// view is kInternal, because the frame names the snapshots that the document numbers belong to.
Result<WeightPtr> compile_doc_scores(ByteReader& reader, Compiler& compiler, Scope scope);

}  // namespace quarry
