// constant_score: the documents of a filter, all with the boost as their score.
#pragma once

#include "query/plan/compiler.h"

namespace quarry {

/// Matches the documents of `filter` with the score `score`.
WeightPtr make_constant_score(WeightPtr filter, float score);

}  // namespace quarry
