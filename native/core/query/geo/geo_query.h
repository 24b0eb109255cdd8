// Clauses by place, for other clauses.
#pragma once

#include "query/plan/query.h"

namespace quarry {

/// The documents with a point.
WeightPtr make_point_exists(const Field& field, float boost);

}  // namespace quarry
