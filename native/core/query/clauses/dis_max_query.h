// dis_max: the best of several clauses, plus a share of the others.
#pragma once

#include <vector>

#include "query/plan/compiler.h"

namespace quarry {

WeightPtr make_dis_max(std::vector<WeightPtr> clauses, float tie_breaker, bool scores);

}  // namespace quarry
