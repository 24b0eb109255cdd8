// Combinations of a required clause with an optional or a prohibited one.
#pragma once

#include "query/plan/query.h"

namespace quarry {

/// Documents of `required`. The score of `optional` is added where it matches (in double, then to
/// float32).
ScorerPtr make_required_optional(ScorerPtr required, ScorerPtr optional);

/// Documents of `required` that `excluded` does not match.
ScorerPtr make_required_excluded(ScorerPtr required, ScorerPtr excluded, const Leaf& leaf);

}  // namespace quarry
