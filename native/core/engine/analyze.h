// The _analyze API: the tokens that an analyzer produces for given strings.
#pragma once

#include <string>
#include <string_view>

#include "base/status.h"
#include "mapping/schema/mapping.h"

namespace quarry {

/// Runs `request_json`, the body of an _analyze request. `mapping` is null when the request names
/// no index; `settings_json` holds the settings of the index, or is empty. Returns {"tokens":[…]}
/// with offsets in UTF-16 units, as Elasticsearch counts them.
Result<std::string> analyze_json(std::string_view request_json, const Mapping* mapping,
                                 std::string_view settings_json);

}  // namespace quarry
