// nested: documents with nested documents that match a query, which score by them.
#pragma once

#include "query/plan/compiler.h"

namespace quarry {

/// Payload: str path, u8 score_mode, u8 ignore_unmapped, node query.
Result<WeightPtr> compile_nested(ByteReader& reader, Compiler& compiler, Scope scope);

/// Whether the documents of `level` are inside documents of `outer`.
bool is_inside(const Mapping& mapping, uint32_t level, uint32_t outer);

/// The documents of a level in a segment; null when it has none.
const Bitset* docs_at(const Mapping& mapping, const NestedDocs& nested, uint32_t level);

}  // namespace quarry
