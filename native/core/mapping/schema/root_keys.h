// The keys of the root of a mapping in addition to its fields: _source, _routing, _meta, detection,
// templates.
#pragma once

#include <string>

#include "base/status.h"
#include "json/value.h"
#include "mapping/document/mapper.h"

namespace quarry {

/// Reads true or false, as JSON or as a string; the error is mapper_parsing_exception, which names
/// `name`.
Result<bool> read_flag(const JsonValue& value, const std::string& name);

/// Reads a key that only roots have; false when the key is unknown. The error for an invalid value
/// is mapper_parsing_exception.
Result<bool> read_root_key(const std::string& key, const JsonValue& value, RootMapper& root);

}  // namespace quarry
