// What the root of a mapping says beside its fields: _source, _routing, _meta, detection, templates.
#pragma once

#include <string>

#include "base/status.h"
#include "json/value.h"
#include "mapping/document/mapper.h"

namespace quarry {

/// true or false, as JSON or as text; mapper_parsing_exception names `name`.
Result<bool> read_flag(const JsonValue& value, const std::string& name);

/// A key that only roots have; false when it is not known. mapper_parsing_exception for a value that it cannot have.
Result<bool> read_root_key(const std::string& key, const JsonValue& value, RootMapper& root);

}  // namespace quarry
