// multi_match of type cross_fields: fields with the same analyzer are searched like one field.
#pragma once

#include <string>
#include <vector>

#include "query/plan/compiler.h"

namespace quarry {

struct FieldAndBoost {
  ResolvedField resolved;
  float boost = 1;
};

/// One weight per group of fields with the same analyzer, to be combined by dis_max.
Result<std::vector<WeightPtr>> make_cross_fields(Compiler& compiler,
                                                 const std::vector<FieldAndBoost>& fields,
                                                 const Scalar& text, const MatchOptions& options,
                                                 float tie_breaker, Scope scope);

}  // namespace quarry
