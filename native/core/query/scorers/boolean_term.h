// A term of a boolean field: found in its column, scored by its rarity like a keyword without
// norms.
#pragma once

#include "query/plan/compiler.h"

namespace quarry {

/// Documents whose `field` holds `value`. The score is the boost if scores are not read or the
/// field is not indexed.
WeightPtr make_boolean_term(Compiler& compiler, const Field& field, bool value, Scope scope);

}  // namespace quarry
