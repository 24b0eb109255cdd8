// The query combined_fields: the words of a text in several text fields, scored as if the fields
// were one (Robertson and Zaragoza 2009, BM25F; Lucene's CombinedFieldQuery).
#pragma once

#include <vector>

#include "query/clauses/cross_fields.h"
#include "query/plan/compiler.h"

namespace quarry {

/// The boost of a field weighs its frequencies and its length. The fields must be text fields with
/// one search analyzer, all with norms or all without.
Result<WeightPtr> make_combined_fields(Compiler& compiler, const std::vector<FieldAndBoost>& fields,
                                       const Scalar& text, const MatchOptions& options,
                                       Scope scope);

}  // namespace quarry
