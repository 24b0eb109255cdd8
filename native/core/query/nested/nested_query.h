// nested: documents with nested documents that match a query, which score by them.
#pragma once

#include "query/plan/compiler.h"

namespace quarry {

/// Whether the documents of `level` are inside documents of `outer`.
bool is_inside(const Mapping& mapping, uint32_t level, uint32_t outer);

/// Whether documents of `outer` have the values of the documents of `level` inside them
/// (include_in_parent, include_in_root).
bool is_included(const Mapping& mapping, uint32_t level, uint32_t outer);

/// The documents of a level in a segment; null when it has none.
const Bitset* docs_at(const Mapping& mapping, const NestedDocs& nested, uint32_t level);

}  // namespace quarry
