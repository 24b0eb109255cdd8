// The description of an index as JSON: what it says of settings and mappings, before there is an index.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/status.h"
#include "json/value.h"
#include "mapping/schema/mapping.h"

namespace quarry {

/// Of the built-in analyzers, as the member `analysis_version` of a spec says it: 2 has light stemmers for five
/// languages and exceptions for dutch, indexes without the member have Snowball's stemmers.
inline constexpr int64_t kAnalysisVersion = 2;

/// A member as JSON; empty when it is absent or null.
std::string member_json(const JsonValue& value, std::string_view key);
/// What make_mapping_context() takes: the settings, and which analyzers made the terms of the index, under which they
/// never change.
std::string mapping_settings(const JsonValue& spec);
/// The mapping of an index with the settings of `spec`.
Result<std::shared_ptr<const Mapping>> make_mapping(const JsonValue& spec,
                                                    std::string_view mappings_json);
/// Whether an index could be made with these `settings` and `mappings`: what creating it would refuse.
Status check_index_spec(std::string_view spec_json);

}  // namespace quarry
