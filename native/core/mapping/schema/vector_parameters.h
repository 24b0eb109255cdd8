// The parameters of dense_vector fields: what they mean together, which values go together, and
// which may follow on others.
#pragma once

#include <string>

#include "base/status.h"
#include "json/value.h"
#include "mapping/document/mapper.h"
#include "mapping/vectors/vector_options.h"

namespace quarry {

/// Checks an `index_options` object ({"type", "m", "ef_construction", "quantization"}) and brings
/// its values into their printed form. mapper_parsing_exception names what is wrong.
Result<JsonValue> read_vector_index(const JsonValue& value, const std::string& field);

/// What a checked `index_options` object asks for, into `out`.
void set_vector_index(const JsonValue& index_options, VectorOptions& out);

/// What a definition says in sum. mapper_parsing_exception for values that do not go together.
Result<VectorOptions> read_vector_options(const Mapper& mapper, const std::string& field);

/// A parameter that is printed for every field, whatever is given, when defaults are asked for;
/// false for what makes no sense beside the others (`similarity` of vectors that are not indexed).
bool has_vector_default(const Mapper& mapper, std::string_view parameter);

/// Why `to` cannot take the place of `from`, one line per parameter in Elasticsearch's words; empty
/// when it can. `dims` may be said once, and left out again.
std::string vector_conflicts(const Mapper& from, const Mapper& to);

}  // namespace quarry
