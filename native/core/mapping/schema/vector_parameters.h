// The parameters of dense_vector fields: their combined meaning, which values are compatible, and
// which updates are allowed.
#pragma once

#include <string>

#include "base/status.h"
#include "json/value.h"
#include "mapping/document/mapper.h"
#include "mapping/vectors/vector_options.h"

namespace quarry {

/// Checks an `index_options` object ({"type", "m", "ef_construction", "quantization"}) and converts
/// its values into their printed form. The error is mapper_parsing_exception, which names the
/// fault.
Result<JsonValue> read_vector_index(const JsonValue& value, const std::string& field);

/// Sets the options in `out` that a checked `index_options` object specifies.
void set_vector_index(const JsonValue& index_options, VectorOptions& out);

/// The options of a definition. The error for values that contradict each other is
/// mapper_parsing_exception.
Result<VectorOptions> read_vector_options(const Mapper& mapper, const std::string& field);

/// Whether a parameter is printed when defaults are requested. False for a parameter that has no
/// meaning with the others (`similarity` of vectors that are not indexed).
bool has_vector_default(const Mapper& mapper, std::string_view parameter);

/// The reasons why `to` cannot replace `from`, one line per parameter in Elasticsearch's wording;
/// empty when it can. `dims` may be set once, and later left out.
std::string vector_conflicts(const Mapper& from, const Mapper& to);

}  // namespace quarry
