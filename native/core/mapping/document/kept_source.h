// What a segment keeps of a document's source, by `_source` of the mapping.
#pragma once

#include <string>
#include <string_view>

#include "base/status.h"
#include "mapping/schema/mapping.h"

namespace quarry {

/// `source` itself, nothing where `_source` is disabled, or what its patterns leave, in `buffer`.
Result<std::string_view> kept_source(const Mapping& mapping, std::string_view source,
                                     std::string& buffer);

}  // namespace quarry
