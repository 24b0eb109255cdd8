// Checks specs by building their mappings.
#include "engine/catalog/index_spec.h"

#include <string>
#include <utility>

#include "text/analysis/analyzer.h"

namespace quarry {

std::string member_json(const JsonValue& value, std::string_view key) {
  const JsonValue* member = value.find(key);
  return member == nullptr || member->is_null() ? std::string() : member->to_json();
}

std::string mapping_settings(const JsonValue& spec) {
  const JsonValue* version = spec.find("analysis_version");
  const int64_t number = version == nullptr ? 1 : version->as_int().value_or(1);
  if (number >= int64_t{kAnalysisVersion}) return member_json(spec, "settings");
  const JsonValue* given = spec.find("settings");
  JsonValue settings = given == nullptr || !given->is_object() ? JsonValue::object() : *given;
  settings.set("analysis_version", JsonValue::string(std::to_string(number)));
  return settings.to_json();
}

Result<std::shared_ptr<const Mapping>> make_mapping(const JsonValue& spec,
                                                    std::string_view mappings_json) {
  QUARRY_ASSIGN_OR_RETURN(MappingContext context, make_mapping_context(mapping_settings(spec)));
  return Mapping::create(mappings_json, std::move(context));
}

Status check_index_spec(std::string_view spec_json) {
  QUARRY_ASSIGN_OR_RETURN(const JsonValue spec, JsonValue::parse(spec_json));
  return make_mapping(spec, member_json(spec, "mappings")).status();
}

}  // namespace quarry
