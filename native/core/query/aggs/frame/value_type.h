// Kinds of values by the types of fields, and what `value_type` says: what a field is taken for that
// no mapping knows, and a condition for those that are mapped. Behind a `?` it is no condition.
#pragma once

#include <string_view>

#include "mapping/schema/field.h"
#include "query/aggs/frame/agg_plan.h"
#include "query/aggs/frame/agg_reply.h"

namespace quarry {

/// kUnmapped for fields without values to count.
ValueKind value_kind_of(const Field& field);

/// Ok, or illegal_argument_exception for a `value_type` that is not that of a mapped field.
Status check_value_type(const Field& field, ValueKind kind, std::string_view value_type);

/// The type of a field that no mapping knows: by `value_type`, else by what `missing` is.
FieldType assumed_type(const AggSource& source);

}  // namespace quarry
