// group_score: scores a document by its group, the documents with the same value of a keyword: the
// sum over several queries of the best score that each has within the group.
#pragma once

#include "query/plan/compiler.h"

namespace quarry {

/// Payload: str field, list<node query>, u8 filters (0, 1), [node filter].
Result<WeightPtr> compile_group_score(ByteReader& reader, Compiler& compiler, Scope scope);

}  // namespace quarry
