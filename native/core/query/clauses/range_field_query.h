// Queries on fields that hold ranges: the terms of the segment are compared by their ends
// (mapping/values/range_value.h), the documents of those that fit are what matches. Scores the boost.
#pragma once

#include <cstdint>
#include <string>

#include "query/plan/compiler.h"

namespace quarry {

/// What a field's range has to do with the one that is asked for.
enum class RangeRelation : uint8_t { kIntersects, kContains, kWithin };

/// `low` and `high`: packed and inclusive; low beyond high matches nothing.
WeightPtr make_range_match(const Field& field, std::string low, std::string high,
                           RangeRelation relation, float boost);
/// Ranges that the value lies in; a date without its smaller parts means all of that time.
Result<WeightPtr> make_range_term(Compiler& compiler, const Field& field, const Scalar& value,
                                  float boost);

}  // namespace quarry
