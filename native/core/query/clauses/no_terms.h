// The weight of text of which an analyzer leaves no terms. It matches nothing, and a query string
// ignores it.
#pragma once

#include "query/plan/query.h"

namespace quarry {

WeightPtr make_no_terms();
bool is_no_terms(const Weight& weight);

}  // namespace quarry
