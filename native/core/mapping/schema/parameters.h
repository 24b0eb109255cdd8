// One parameter of a field type: name, default and whether it can be updated. The types list theirs
// (mapping/types/).
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "base/status.h"
#include "json/value.h"
#include "mapping/schema/field.h"

namespace quarry {

/// The parameters of one type. find() returns null for an unknown name.
struct TypeParameters {
  std::span<const Parameter> parameters;
  const Parameter* find(std::string_view name) const;
};
inline TypeParameters parameters_of(FieldType type) { return {field_traits(type).parameters}; }

/// Checks a value and converts it into its printed form ("true" to true, "5" to 5). The error is
/// mapper_parsing_exception, which names parameter, field and type.
Result<JsonValue> read_parameter(const Parameter& parameter, const JsonValue& value,
                                 const std::string& field, FieldType type);

}  // namespace quarry
