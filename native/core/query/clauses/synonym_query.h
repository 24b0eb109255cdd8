// Several terms at one position of a query, scored as if they were one term (Lucene's
// SynonymQuery).
#pragma once

#include <string>
#include <vector>

#include "query/plan/compiler.h"

namespace quarry {

/// `terms` in their indexed form. Document frequency: the largest of theirs; frequencies in a
/// document add up.
WeightPtr make_synonym(Compiler& compiler, const Field& field, std::vector<std::string> terms,
                       Scope scope);

}  // namespace quarry
