// Several terms at one position of a query, scored as if they were one term (Lucene's
// SynonymQuery).
#pragma once

#include <string>
#include <vector>

#include "query/plan/compiler.h"

namespace quarry {

/// `terms` are in their indexed form. The document frequency is the largest of the terms; their
/// frequencies in a document are added.
WeightPtr make_synonym(Compiler& compiler, const Field& field, std::vector<std::string> terms,
                       Scope scope);

}  // namespace quarry
