// The value kinds of field types, and `value_type`: the assumed type of an unmapped field, and a
// condition on a mapped field. With the prefix `?` it is not a condition.
#pragma once

#include <string_view>

#include "mapping/schema/field.h"
#include "query/aggs/frame/agg_plan.h"
#include "query/aggs/frame/agg_reply.h"

namespace quarry {

/// kUnmapped for fields without values to aggregate.
ValueKind value_kind_of(const Field& field);

/// Ok, or illegal_argument_exception if `value_type` does not fit the mapped field.
Status check_value_type(const Field& field, ValueKind kind, std::string_view value_type);

/// The assumed type of an unmapped field: that of `value_type`, else that of `missing`.
FieldType assumed_type(const AggSource& source);

}  // namespace quarry
