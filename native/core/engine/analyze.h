// The _analyze API: what an analyzer makes of a text.
#pragma once

#include <string>
#include <string_view>

#include "base/status.h"
#include "mapping/schema/mapping.h"

namespace quarry {

/// `request_json` as the body of _analyze; `mapping` is null when no index was named, `settings_json` are the
/// settings of the index (or empty). Answers {"tokens":[…]}, offsets in UTF-16 units as Elasticsearch counts them.
Result<std::string> analyze_json(std::string_view request_json, const Mapping* mapping,
                                 std::string_view settings_json);

}  // namespace quarry
