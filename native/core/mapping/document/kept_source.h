// The part of a document's source that a segment stores, according to `_source` of the mapping.
#pragma once

#include <string>
#include <string_view>

#include "base/status.h"
#include "mapping/schema/mapping.h"

namespace quarry {

/// Returns `source` itself, an empty view where `_source` is disabled, or the source filtered by
/// the patterns, which is then held by `buffer`.
Result<std::string_view> kept_source(const Mapping& mapping, std::string_view source,
                                     std::string& buffer);

}  // namespace quarry
