// The parameters of every field type as a table: names, defaults and whether they can be updated,
// in the order in which the mapping API prints them.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/status.h"
#include "json/value.h"
#include "mapping/schema/field.h"

namespace quarry {

enum class ParameterKind : uint8_t {
  kBool,
  kFlag,  // a boolean whose default comes from the index: printed when given, even as the default
  kNumber,
  kCount,     // a whole number >= 0
  kChoice,    // one of `choices`, separated by |
  kName,      // analyzer, normalizer, similarity, locale or format: checked when the field is made
  kScalar,    // null_value: any scalar, or null for none
  kMeta,      // up to 5 short strings
  kPrefixes,  // index_prefixes: an object or null
  kVectorIndex,  // index_options of a dense_vector: an object or null (vector_parameters.h)
  kEndpoint,     // inference_endpoint: an object (semantic_parameters.h)
  kRefused,      // known to Elasticsearch, not supported here
};

struct Parameter {
  std::string_view name;
  ParameterKind kind = ParameterKind::kBool;
  std::string_view fallback;  // the default as JSON; empty: none
  bool updateable = false;
  std::string_view choices;
};

/// The parameters of one type. find() returns null for an unknown name.
struct TypeParameters {
  std::span<const Parameter> parameters;
  const Parameter* find(std::string_view name) const;
};
TypeParameters parameters_of(FieldType type);

/// Finds a type that a mapping may name ("flattened_keyed" is not one); false for an unknown name.
bool parse_field_type(std::string_view name, FieldType& type);
/// Whether the name is a type of Elasticsearch that this server does not support.
bool is_unsupported_type(std::string_view name);

/// Checks a value and converts it into its printed form ("true" to true, "5" to 5). The error is
/// mapper_parsing_exception, which names parameter, field and type.
Result<JsonValue> read_parameter(const Parameter& parameter, const JsonValue& value,
                                 const std::string& field, FieldType type);

}  // namespace quarry
