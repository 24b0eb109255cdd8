// Counts how many documents of a segment match; many matches are counted as bits.
#pragma once

#include "query/plan/query.h"

namespace quarry {

/// Number of live matches of `scorer`, which must not have moved yet. `cost`: estimate of that
/// number. Counting stops at `enough`, or when `stop` expires.
uint64_t count_matches(Scorer& scorer, const Leaf& leaf, uint64_t cost, uint64_t enough,
                       StopCheck& stop);

}  // namespace quarry
