// ids: documents by `_id`; the score is the boost.
#pragma once

#include <string>
#include <vector>

#include "query/plan/compiler.h"

namespace quarry {

/// Payload: list<str>.
Result<WeightPtr> compile_ids(ByteReader& reader, Compiler& compiler, Scope scope);

WeightPtr make_ids_weight(std::vector<std::string> ids, float boost);

}  // namespace quarry
