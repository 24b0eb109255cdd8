// The value kinds of field types, and `value_type`: the assumed type of an unmapped field, and a
// condition on a mapped field. With the prefix `?` it is not a condition.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "mapping/schema/field.h"
#include "query/aggs/frame/agg_plan.h"
#include "query/aggs/frame/agg_reply.h"

namespace quarry {

/// kUnmapped for fields without values to aggregate.
ValueKind value_kind_of(const Field& field);

/// Ok, or illegal_argument_exception if `value_type` does not fit the mapped field.
Status check_value_type(const Field& field, ValueKind kind, std::string_view value_type);

/// A stand-in for an unmapped field, of the type that `value_type` names, else that of `missing`.
/// `numbers`: a double where that would be a string.
std::shared_ptr<const Field> make_stand_in(const AggSource& source, bool numbers);
/// A field of strings that no mapping lists.
std::shared_ptr<const Field> make_string_field(const std::string& name);

}  // namespace quarry
