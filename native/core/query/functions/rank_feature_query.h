// rank_feature: documents with a feature; the score is a function of its value (Lucene's
// FeatureField).
#pragma once

#include <string_view>

#include "query/plan/compiler.h"

namespace quarry {

/// A term query on a field of several features: the score is the value times the boost.
WeightPtr make_feature_term(Compiler& compiler, const Field& field, std::string_view feature,
                            Scope scope);

}  // namespace quarry
