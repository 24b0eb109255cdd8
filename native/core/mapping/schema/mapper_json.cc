// Prints mappings (declared in mapping/document/mapper.h) as Elasticsearch does: parameters that
// were set, properties ordered by name.
#include "mapping/document/mapper.h"
#include "mapping/schema/as_you_type.h"
#include "mapping/schema/parameters.h"
#include "mapping/schema/vector_parameters.h"

namespace quarry {

namespace {

JsonValue text(std::string_view value) { return JsonValue::string(std::string(value)); }

std::string_view dynamic_name(Dynamic dynamic) {
  switch (dynamic) {
    case Dynamic::kFalse:
      return "false";
    case Dynamic::kStrict:
      return "strict";
    case Dynamic::kRuntimeRefused:
      return "runtime";
    default:
      return "true";
  }
}

JsonValue all_to_json(const Mappers& mappers, bool include_defaults) {
  JsonValue json = JsonValue::object();
  json.members().reserve(mappers.size());
  for (const auto& [name, mapper] : mappers) {
    json.members().emplace_back(name, mapper_to_json(*mapper, include_defaults));
  }
  return json;
}

void print_source_keep(JsonValue& json, const Mapper& mapper) {
  if (!mapper.source_keep.empty()) json.set("synthetic_source_keep", text(mapper.source_keep));
}

void print_object_head(JsonValue& json, const Mapper& mapper) {
  if (mapper.dynamic) json.set("dynamic", text(dynamic_name(*mapper.dynamic)));
  if (mapper.enabled == false) json.set("enabled", JsonValue::boolean(false));
  if (mapper.subobjects) json.set("subobjects", JsonValue::boolean(*mapper.subobjects));
  print_source_keep(json, mapper);
}

/// Analyzers for search are distinguishable only if the one for indexing is printed too.
bool is_printed(const Mapper& mapper, const Parameter& parameter, bool include_defaults) {
  if (mapper.given(parameter.name) != nullptr) return true;
  if (parameter.name == "analyzer") {
    if (mapper.given("search_analyzer") != nullptr) return true;
    if (mapper.given("search_quote_analyzer") != nullptr) return true;
  }
  // Elasticsearch always prints how a completion field treats its inputs.
  if (mapper.type == FieldType::kCompletion) return !parameter.fallback.empty();
  if (mapper.type == FieldType::kDenseVector && !has_vector_default(mapper, parameter.name)) {
    return false;
  }
  return include_defaults && !parameter.fallback.empty();
}

void print_field(JsonValue& json, const Mapper& mapper, bool include_defaults) {
  json.set("type", text(mapper.type_name()));
  if (mapper.type == FieldType::kAlias) {
    json.set("path", text(mapper.path));
    return;
  }
  for (const Parameter& parameter : parameters_of(mapper.type).parameters) {
    if (mapper.as_you_type && is_no_as_you_type_parameter(parameter.name)) continue;
    if (!is_printed(mapper, parameter, include_defaults)) continue;
    json.set(std::string(parameter.name), mapper.effective(parameter.name));
  }
  if (const JsonValue* size = mapper.given("max_shingle_size")) json.set("max_shingle_size", *size);
  print_source_keep(json, mapper);
  if (!mapper.fields.empty()) json.set("fields", all_to_json(mapper.fields, include_defaults));
  if (mapper.copy_to.empty()) return;
  JsonValue targets = JsonValue::array();
  for (const std::string& target : mapper.copy_to) targets.items().push_back(text(target));
  json.set("copy_to", std::move(targets));
}

JsonValue source_to_json(const SourceOptions& source) {
  JsonValue json = JsonValue::object();
  if (!source.enabled) json.set("enabled", JsonValue::boolean(false));
  const auto add = [&json](const char* name, const std::vector<std::string>& patterns) {
    if (patterns.empty()) return;
    JsonValue list = JsonValue::array();
    for (const std::string& pattern : patterns) list.items().push_back(text(pattern));
    json.set(name, std::move(list));
  };
  add("includes", source.includes);
  add("excludes", source.excludes);
  return json;
}

/// All keys of the root except its properties.
JsonValue root_head(const RootMapper& root) {
  JsonValue json = JsonValue::object();
  print_object_head(json, root.object);
  if (root.meta) json.set("_meta", *root.meta);
  if (root.routing_required == true) {
    json.set("_routing", JsonValue::object({{"required", JsonValue::boolean(true)}}));
  }
  if (root.source && !root.source->keeps_all()) json.set("_source", source_to_json(*root.source));
  if (root.date_formats) {
    JsonValue formats = JsonValue::array();
    for (const std::string& format : *root.date_formats) formats.items().push_back(text(format));
    json.set("dynamic_date_formats", std::move(formats));
  }
  if (root.templates) {
    JsonValue templates = JsonValue::array();
    for (const DynamicTemplate& entry : *root.templates) {
      templates.items().push_back(JsonValue::object({{entry.name(), entry.to_json()}}));
    }
    json.set("dynamic_templates", std::move(templates));
  }
  if (root.date_detection) json.set("date_detection", JsonValue::boolean(*root.date_detection));
  if (root.numeric_detection) {
    json.set("numeric_detection", JsonValue::boolean(*root.numeric_detection));
  }
  return json;
}

}  // namespace

JsonValue mapper_to_json(const Mapper& mapper, bool include_defaults) {
  JsonValue json = JsonValue::object();
  if (!mapper.is_object()) {
    print_field(json, mapper, include_defaults);
    return json;
  }
  // An object with properties is recognized as an object without its type.
  if (mapper.is_nested()) {
    json.set("type", text("nested"));
    if (mapper.include_in_parent == true) json.set("include_in_parent", JsonValue::boolean(true));
    if (mapper.include_in_root == true) json.set("include_in_root", JsonValue::boolean(true));
  } else if (mapper.properties.empty()) {
    json.set("type", text("object"));
  }
  print_object_head(json, mapper);
  if (!mapper.properties.empty())
    json.set("properties", all_to_json(mapper.properties, include_defaults));
  return json;
}

std::string mapping_to_json(const RootMapper& root) {
  JsonValue json = root_head(root);
  if (!root.object.properties.empty())
    json.set("properties", all_to_json(root.object.properties, false));
  return json.to_json();
}

}  // namespace quarry
