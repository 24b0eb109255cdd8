// The segments of a shard view as searches see them.
#pragma once

#include <vector>

#include "query/plan/query.h"

namespace quarry {

/// In the order of the view; they point into it. `progress` is shared by all and must outlive them.
std::vector<Leaf> make_leaves(const ShardView& view, SearchProgress& progress);

}  // namespace quarry
