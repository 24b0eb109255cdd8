// A text in which an analyzer leaves no terms: it matches nothing, and inside a query string it says
// nothing.
#pragma once

#include "query/plan/query.h"

namespace quarry {

WeightPtr make_no_terms();
bool is_no_terms(const Weight& weight);

}  // namespace quarry
