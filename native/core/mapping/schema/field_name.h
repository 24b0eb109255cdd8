// Names of fields in mappings and documents: paths of parts joined by dots.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace quarry {

/// Splits "a.b" into its parts, none of which may be empty or blank (the error is
/// illegal_argument_exception in Elasticsearch's wording). The views point into `name`.
Result<std::vector<std::string_view>> split_field_name(std::string_view name);

/// The end of a split name, from part number `from` on.
std::string_view joined_from(const std::vector<std::string_view>& parts, size_t from);

/// Whether the name is reserved at the top level of documents and mappings ("_id", "_source" …).
bool is_metadata_field(std::string_view name);

}  // namespace quarry
