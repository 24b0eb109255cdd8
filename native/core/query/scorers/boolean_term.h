// A term of a boolean field: found in its column, weighed by how rare it is, as a keyword without norms.
#pragma once

#include "query/plan/compiler.h"

namespace quarry {

/// Documents whose `field` holds `value`. Scores the boost where nobody reads it, and where the field is not
/// indexed.
WeightPtr make_boolean_term(Compiler& compiler, const Field& field, bool value, Scope scope);

}  // namespace quarry
