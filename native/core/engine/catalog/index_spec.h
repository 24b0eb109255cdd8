// Settings and mappings in an index's spec (JSON), read before the index exists.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/status.h"
#include "json/value.h"
#include "mapping/schema/mapping.h"

namespace quarry {

/// A member as JSON; empty when it is absent or null.
std::string member_json(const JsonValue& value, std::string_view key);
/// The argument of make_mapping_context(): the settings, and the version of the analyzers that made
/// the terms of the index, which never changes (member `analysis_version` of the spec; without it
/// 1)
std::string mapping_settings(const JsonValue& spec);
/// The mapping of an index with the settings of `spec`.
Result<std::shared_ptr<const Mapping>> make_mapping(const JsonValue& spec,
                                                    std::string_view mappings_json);
/// Checks whether an index can be created with these `settings` and `mappings`; fails where
/// creating it would fail.
Status check_index_spec(std::string_view spec_json);

}  // namespace quarry
