// A head start for field sorts: the hits of the most promising zones are read first and determine
// which zones cannot matter.
#pragma once

#include <optional>
#include <span>

#include "query/plan/query.h"
#include "query/sort/sort_key.h"

namespace quarry {

/// A value of the first key such that the last of the first `window` hits is not after it. Nothing
/// if the key has no zones, if the index is small, or if the tried zones had too few hits. Correct
/// for any order of documents, and effective if values follow that order.
std::optional<SortValue> find_sort_seed(std::span<const Leaf> leaves, Weight& weight,
                                        SortSources& sources, uint32_t window, bool has_after);

}  // namespace quarry
