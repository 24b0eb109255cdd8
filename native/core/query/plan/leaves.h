// Converts the segments of a shard view into leaves.
#pragma once

#include <vector>

#include "query/plan/query.h"

namespace quarry {

/// The leaves, in the order of the view, which they point into. `progress` is shared by all leaves
/// and must outlive them.
std::vector<Leaf> make_leaves(const ShardView& view, SearchProgress& progress);

}  // namespace quarry
