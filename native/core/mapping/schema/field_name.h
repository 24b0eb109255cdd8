// Names of fields in mappings and documents: paths of parts joined by dots.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace quarry {

/// Splits "a.b" into its parts, none of which may be empty or blank (illegal_argument_exception as
/// Elasticsearch words it). The views point into `name`.
Result<std::vector<std::string_view>> split_field_name(std::string_view name);

/// Names that documents and mappings may not use at their top level ("_id", "_source" …).
bool is_metadata_field(std::string_view name);

}  // namespace quarry
