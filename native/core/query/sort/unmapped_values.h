// Values of the source that no mapping defines, for `fields` with include_unmapped.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "json/value.h"
#include "mapping/schema/mapping.h"

namespace quarry {

/// JSON values by field name.
using FieldTexts = std::map<std::string, std::vector<std::string>>;

/// Adds every scalar, including null, whose path matches one of `patterns` and is not a mapped
/// field.
void add_unmapped_values(const Mapping& mapping, const std::vector<std::string>& patterns,
                         const JsonValue& source, FieldTexts& out);

}  // namespace quarry
