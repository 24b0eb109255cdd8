// A head start for field sorts: the hits of the most promising zones, looked at first, tell which
// zones cannot matter.
#pragma once

#include <optional>
#include <span>

#include "query/plan/query.h"
#include "query/sort/sort_key.h"

namespace quarry {

/// A value of the first key that the last of the first `window` hits is not behind; nothing when
/// the key has no zones, the index is small, or some zones were tried in vain. Works for any order
/// of documents, best where values follow it.
std::optional<SortValue> find_sort_seed(std::span<const Leaf> leaves, Weight& weight,
                                        SortSources& sources, uint32_t window, bool has_after);

}  // namespace quarry
