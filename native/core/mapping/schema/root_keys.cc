// Reads the keys that only the root of a mapping has.
#include "mapping/schema/root_keys.h"

#include <utility>

#include "mapping/dates/date_format.h"

namespace quarry {

namespace {

Status read_patterns(const JsonValue& json, const std::string& key, std::vector<std::string>& out) {
  if (json.is_string()) {
    out.emplace_back(json.text());
    return {};
  }
  if (!json.is_array())
    return mapper_parsing("[_source." + key + "] must be a list, got " + json.to_json());
  for (const JsonValue& item : json.items()) {
    if (!item.is_string())
      return mapper_parsing("[_source." + key + "] must hold strings, got " + item.to_json());
    out.emplace_back(item.text());
  }
  return {};
}

Status read_source(const JsonValue& json, RootMapper& root) {
  if (!json.is_object()) return mapper_parsing("[_source] config must be an object");
  SourceOptions source;
  for (const auto& [key, value] : json.members()) {
    if (key == "enabled") {
      QUARRY_ASSIGN_OR_RETURN(source.enabled, read_flag(value, "_source.enabled"));
    } else if (key == "includes" || key == "excludes") {
      QUARRY_RETURN_IF_ERROR(
          read_patterns(value, key, key == "includes" ? source.includes : source.excludes));
    } else if (key == "mode") {
      return mapper_parsing("[_source] [mode] [" + value.to_json() +
                            "] is not supported, use [enabled]");
    } else {
      return mapper_parsing("unknown parameter [" + key + "] on metadata field [_source]");
    }
  }
  root.source = std::move(source);
  return {};
}

Status read_routing(const JsonValue& json, RootMapper& root) {
  if (!json.is_object()) return mapper_parsing("[_routing] config must be an object");
  for (const auto& [key, value] : json.members()) {
    if (key != "required")
      return mapper_parsing("unknown parameter [" + key + "] on metadata field [_routing]");
    QUARRY_ASSIGN_OR_RETURN(root.routing_required, read_flag(value, "_routing.required"));
  }
  return {};
}

Status read_date_formats(const JsonValue& json, RootMapper& root) {
  std::vector<std::string> formats;
  const auto add = [&formats](const JsonValue& item) -> Status {
    if (!item.is_string())
      return mapper_parsing("[dynamic_date_formats] must hold strings, got " + item.to_json());
    if (item.text() == "none") return {};
    Result<std::shared_ptr<const DateFormats>> compiled = DateFormats::compile(item.text());
    if (!compiled.ok()) return mapper_parsing(compiled.status().reason());
    formats.emplace_back(item.text());
    return {};
  };
  if (!json.is_array()) {
    QUARRY_RETURN_IF_ERROR(add(json));
  }
  for (const JsonValue& item : json.items()) QUARRY_RETURN_IF_ERROR(add(item));
  root.date_formats = std::move(formats);
  return {};
}

Status read_templates(const JsonValue& json, RootMapper& root) {
  if (!json.is_array())
    return mapper_parsing("Dynamic template syntax error. An array of named objects is expected.");
  root.templates.emplace();
  for (const JsonValue& item : json.items()) {
    if (!item.is_object() || item.members().size() != 1) {
      return mapper_parsing("A dynamic template must be defined with a name");
    }
    const auto& [name, body] = item.members().front();
    QUARRY_ASSIGN_OR_RETURN(DynamicTemplate entry, DynamicTemplate::parse(name, body));
    root.templates->push_back(std::move(entry));
  }
  return {};
}

}  // namespace

Result<bool> read_flag(const JsonValue& value, const std::string& name) {
  if (value.text() == "true" || value.text() == "false") return value.text() == "true";
  return mapper_parsing("Failed to parse value [" + value.to_json() + "] of [" + name +
                        "] as only [true] or [false] are allowed.");
}

Result<bool> read_root_key(const std::string& key, const JsonValue& value, RootMapper& root) {
  if (key == "_meta") {
    if (!value.is_object())
      return mapper_parsing("[_meta] must be an object, got " + value.to_json());
    root.meta = value;
  } else if (key == "_source") {
    QUARRY_RETURN_IF_ERROR(read_source(value, root));
  } else if (key == "_routing") {
    QUARRY_RETURN_IF_ERROR(read_routing(value, root));
  } else if (key == "dynamic_date_formats" || key == "date_formats") {
    QUARRY_RETURN_IF_ERROR(read_date_formats(value, root));
  } else if (key == "dynamic_templates") {
    QUARRY_RETURN_IF_ERROR(read_templates(value, root));
  } else if (key == "date_detection") {
    QUARRY_ASSIGN_OR_RETURN(root.date_detection, read_flag(value, key));
  } else if (key == "numeric_detection") {
    QUARRY_ASSIGN_OR_RETURN(root.numeric_detection, read_flag(value, key));
  } else if (key == "runtime") {
    if (!value.members().empty())
      return mapper_parsing("[runtime] is not supported: there are no runtime fields");
  } else {
    return false;
  }
  return true;
}

}  // namespace quarry
