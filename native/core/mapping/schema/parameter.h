// The definition of one parameter of a field type.
#pragma once

#include <cstdint>
#include <string_view>

namespace quarry {

enum class ParameterKind : uint8_t {
  kBool,
  kFlag,  // a boolean whose default comes from the index: printed when given, even as the default
  kNumber,
  kCount,     // a whole number >= 0
  kChoice,    // one of `choices`, separated by |
  kName,      // analyzer, normalizer, similarity, locale or format: checked when the field is made
  kScalar,    // null_value: any scalar, or null for none
  kPoint,     // null_value of a geo_point: a point in any form, or null for none
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

}  // namespace quarry
