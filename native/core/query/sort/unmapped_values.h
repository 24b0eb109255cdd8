// Values of the source that no mapping knows, for `fields` with include_unmapped.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "json/value.h"
#include "mapping/schema/mapping.h"

namespace quarry {

/// JSON texts by field name.
using FieldTexts = std::map<std::string, std::vector<std::string>>;

/// Adds every scalar whose path fits one of `patterns` and is no field of the mapping; null counts.
void add_unmapped_values(const Mapping& mapping, const std::vector<std::string>& patterns,
                         const JsonValue& source, FieldTexts& out);

}  // namespace quarry
