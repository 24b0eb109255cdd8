// Queries on fields that hold ranges. The terms of the segment are compared by their ends
// (mapping/values/range_value.h); the documents of the terms that fit match. The score is the
// boost.
#pragma once

#include <cstdint>
#include <string>

#include "query/plan/compiler.h"

namespace quarry {

/// The required relation of a field's range to the range of the query.
enum class RangeRelation : uint8_t { kIntersects, kContains, kWithin };

/// `low` and `high` are packed and inclusive; `low` > `high` matches nothing.
WeightPtr make_range_match(const Field& field, std::string low, std::string high,
                           RangeRelation relation, float boost);
/// Matches ranges that contain the value; a date without its smaller units stands for its whole
/// span.
Result<WeightPtr> make_range_term(Compiler& compiler, const Field& field, const Scalar& value,
                                  float boost);

}  // namespace quarry
