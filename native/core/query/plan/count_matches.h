// How many documents of a segment match, counted as bits where they are many.
#pragma once

#include "query/plan/query.h"

namespace quarry {

/// Live matches of `scorer`, which starts before its first; `cost`: about how many there are. Stops
/// counting at `enough`, or when `stop` expires.
uint64_t count_matches(Scorer& scorer, const Leaf& leaf, uint64_t cost, uint64_t enough,
                       StopCheck& stop);

}  // namespace quarry
