// terms: any of a list of values of one field; the score is the boost.
#pragma once

#include "query/plan/compiler.h"

namespace quarry {

/// Payload: str field, list<scalar>.
Result<WeightPtr> compile_terms(ByteReader& reader, Compiler& compiler, Scope scope);

}  // namespace quarry
