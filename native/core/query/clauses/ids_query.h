// ids: documents by `_id`; the score is the boost.
#pragma once

#include <string>
#include <vector>

#include "query/plan/compiler.h"

namespace quarry {

WeightPtr make_ids_weight(std::vector<std::string> ids, float boost);

}  // namespace quarry
