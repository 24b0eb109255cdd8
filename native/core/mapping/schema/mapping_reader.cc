// Parses the JSON of mappings into definitions (declared in mapping/document/mapper.h): objects,
// fields and aliases.
#include <algorithm>
#include <utility>

#include "base/status.h"
#include "mapping/document/mapper.h"
#include "mapping/schema/as_you_type.h"
#include "mapping/schema/field_name.h"
#include "mapping/schema/parameters.h"
#include "mapping/schema/root_keys.h"

namespace quarry {

namespace {

std::string member_text(const JsonValue::Member& member) {
  return " [" + member.first + " : " +
         (member.second.is_object() || member.second.is_array()
              ? member.second.to_json()
              : std::string(member.second.text())) +
         "]";
}

Result<Dynamic> read_dynamic(const JsonValue& value, const std::string& field) {
  if (value.text() == "true") return Dynamic::kTrue;
  if (value.text() == "false") return Dynamic::kFalse;
  if (value.text() == "strict") return Dynamic::kStrict;
  if (value.text() == "runtime")
    return mapper_parsing(
        "[dynamic] of [" + field +
        "] is [runtime], which is not supported, use [true], [false] or [strict]");
  return mapper_parsing("[dynamic] of [" + field + "] must be [true], [false] or [strict], got " +
                        value.to_json());
}

/// Reads a leaf, an object or an alias from its JSON. Recursion is bounded by the depth of the JSON
/// tree.
class MapperReader {
 public:
  explicit MapperReader(const MappingContext& context) : context_(context) {}

  /// `onto`: the object that will be updated; may be null.
  Status read_properties(const JsonValue& json, const std::string& path, Mapper& object,
                         const Mapper* onto) {
    // Some clients send an empty list instead of an empty object.
    if (json.is_array() && json.items().empty()) return {};
    if (!json.is_object()) {
      return mapper_parsing("Expected map for property [properties] on field [" +
                            (path.empty() ? "_doc" : path) + "] but got " + json.to_json());
    }
    for (const auto& [name, body] : json.members()) {
      QUARRY_RETURN_IF_ERROR(read_property(name, body, path, object, onto));
    }
    return {};
  }

  /// Reads the keys that decide how properties are read, before all others.
  static Status read_head(const JsonValue& body, const std::string& path, Mapper& object,
                          const Mapper* onto) {
    const std::string field = path.empty() ? "_doc" : path;
    if (const JsonValue* given = body.find("subobjects")) {
      if (object.is_nested()) {
        return mapper_parsing("Nested type [" + field +
                              "] does not support [subobjects] parameter");
      }
      QUARRY_ASSIGN_OR_RETURN(object.subobjects, read_flag(*given, field + ".subobjects"));
    } else {
      inherit(object, onto);
    }
    if (const JsonValue* given = body.find("dynamic")) {
      QUARRY_ASSIGN_OR_RETURN(object.dynamic, read_dynamic(*given, field));
    }
    return {};
  }

  /// Reads a key of an object's definition after read_head(); false when the key is unknown.
  Result<bool> read_object_key(const std::string& key, const JsonValue& value,
                               const std::string& path, Mapper& object, const Mapper* onto) {
    const std::string field = path.empty() ? "_doc" : path;
    if (key == "enabled") {
      QUARRY_ASSIGN_OR_RETURN(object.enabled, read_flag(value, field + ".enabled"));
    } else if (key == "synthetic_source_keep") {
      QUARRY_RETURN_IF_ERROR(read_source_keep(value, object));
      if (path.empty() && object.source_keep == "all")
        return mapper_parsing("root object can't be configured with [synthetic_source_keep:all]");
    } else if (object.is_nested() && key == "include_in_parent") {
      QUARRY_ASSIGN_OR_RETURN(object.include_in_parent, read_flag(value, field + "." + key));
    } else if (object.is_nested() && key == "include_in_root") {
      QUARRY_ASSIGN_OR_RETURN(object.include_in_root, read_flag(value, field + "." + key));
    } else if (key == "properties") {
      QUARRY_RETURN_IF_ERROR(read_properties(value, path, object, onto));
    } else {
      return key == "subobjects" || key == "dynamic";
    }
    return true;
  }

 private:
  static Status read_source_keep(const JsonValue& value, Mapper& mapper) {
    mapper.source_keep = value.text();
    for (const std::string_view known : {"none", "arrays", "all"}) {
      if (value.is_string() && mapper.source_keep == known) return {};
    }
    return {ErrorType::kIllegalArgument, "Unknown synthetic_source_keep value [" +
                                             std::string(value.text()) +
                                             "], accepted values are [none,arrays,all]"};
  }

  static void inherit(Mapper& object, const Mapper* onto) {
    if (onto != nullptr && onto->is_flat()) object.subobjects = false;
  }

  static const Mapper* object_in(const Mapper* object, std::string_view name) {
    if (object == nullptr) return nullptr;
    const auto found = object->properties.find(name);
    return found == object->properties.end() || !found->second->is_object() ? nullptr
                                                                            : found->second.get();
  }

  Status read_property(const std::string& name, const JsonValue& body, const std::string& path,
                       Mapper& object, const Mapper* onto) {
    QUARRY_ASSIGN_OR_RETURN(const std::vector<std::string_view> parts, split_field_name(name));
    if (path.empty() && is_metadata_field(parts.front())) {
      return mapper_parsing("Field [" + std::string(parts.front()) + "] is defined more than once");
    }
    const auto depth =
        static_cast<size_t>(std::count(path.begin(), path.end(), '.')) + parts.size();
    if (depth > context_.limits.depth) {
      return {ErrorType::kIllegalArgument,
              "Limit of mapping depth [" + std::to_string(context_.limits.depth) +
                  "] has been exceeded due to object field [" + path + "]"};
    }
    Mapper* parent = &object;
    std::string full = path;
    for (size_t i = 0; i < parts.size(); ++i) {
      if (parent->is_flat()) {
        const char* end = name.data() + name.size();
        return read_flat({parts[i].data(), static_cast<size_t>(end - parts[i].data())}, body, full,
                         *parent);
      }
      if (parts[i].size() > context_.limits.field_name_length) return too_long(parts[i]);
      if (!full.empty()) full += '.';
      full += parts[i];
      if (i + 1 == parts.size()) break;
      QUARRY_ASSIGN_OR_RETURN(parent, open_parent(*parent, parts[i], full));
      onto = object_in(onto, parts[i]);
      inherit(*parent, onto);
    }
    auto mapper = std::make_unique<Mapper>();
    QUARRY_RETURN_IF_ERROR(read_mapper(body, full, *mapper, object_in(onto, parts.back())));
    return add(*parent, std::string(parts.back()), std::move(mapper), full);
  }

  Status too_long(std::string_view name) const {
    return {ErrorType::kIllegalArgument,
            "Field name [" + std::string(name) + "] is longer than the limit of [" +
                std::to_string(context_.limits.field_name_length) + "] characters"};
  }

  /// Reads a property of an object without subobjects, whose path is `path`: the properties of an
  /// object become its own, with longer names.
  Status read_flat(std::string_view name, const JsonValue& body, const std::string& path,
                   Mapper& object) {
    QUARRY_RETURN_IF_ERROR(split_field_name(name).status());
    if (name.size() > context_.limits.field_name_length) return too_long(name);
    const std::string full = path.empty() ? std::string(name) : path + "." + std::string(name);
    if (is_object_body(body)) return flatten_object(name, body, path, object);
    auto mapper = std::make_unique<Mapper>();
    QUARRY_RETURN_IF_ERROR(read_mapper(body, full, *mapper, nullptr));
    if (mapper->is_nested()) {
      return mapper_parsing("Tried to add nested object [" + std::string(name) + "] to object [" +
                            (path.empty() ? "_doc" : path) + "] which does not support subobjects");
    }
    return add(object, std::string(name), std::move(mapper), full);
  }

  Status flatten_object(std::string_view name, const JsonValue& body, const std::string& path,
                        Mapper& object) {
    const std::string full = path.empty() ? std::string(name) : path + "." + std::string(name);
    const auto refuse = [&full](const std::string& key, const JsonValue& value) {
      return mapper_parsing("Object [" + full +
                            "] was found in a context where subobjects is set to false. "
                            "Auto-flattening [" +
                            full + "] failed because the value of [" + key + "] is [" +
                            std::string(value.text()) + "]");
    };
    for (const auto& [key, value] : body.members()) {
      if (key == "type" || (key == "subobjects" && value.text() == "false") ||
          (key == "enabled" && value.text() == "true"))
        continue;
      if (key == "dynamic") {
        QUARRY_ASSIGN_OR_RETURN(const Dynamic dynamic, read_dynamic(value, full));
        if (dynamic != object.dynamic.value_or(Dynamic::kTrue)) return refuse(key, value);
      } else if (key != "properties") {
        return refuse(key, value);
      } else if (value.is_object()) {
        for (const auto& [below, definition] : value.members()) {
          QUARRY_RETURN_IF_ERROR(
              read_flat(std::string(name) + "." + below, definition, path, object));
        }
      }
    }
    return {};
  }

  /// The object for the part of a name before a dot, created if needed.
  static Result<Mapper*> open_parent(Mapper& object, std::string_view name,
                                     const std::string& full) {
    auto found = object.properties.find(name);
    if (found == object.properties.end()) {
      found = object.properties.emplace(std::string(name), std::make_unique<Mapper>()).first;
    }
    if (found->second->is_object()) return found->second.get();
    return Status(ErrorType::kIllegalArgument,
                  "can't merge a non object mapping [" + full + "] with an object mapping");
  }

  /// "a.b" in addition to "a": {…} refers to the same object.
  static Status add(Mapper& parent, std::string name, std::unique_ptr<Mapper> mapper,
                    const std::string& full) {
    const auto found = parent.properties.find(name);
    if (found == parent.properties.end()) {
      parent.properties.emplace(std::move(name), std::move(mapper));
      return {};
    }
    Mapper& old = *found->second;
    if (!old.is_object() || !mapper->is_object()) {
      return {ErrorType::kIllegalArgument, "Field [" + full + "] is defined more than once"};
    }
    RootMapper existing;
    existing.object = std::move(old);
    RootMapper update;
    update.object = std::move(*mapper);
    Status status = merge_mapping(existing, update);
    old = std::move(existing.object);
    return status;
  }

  /// Whether a definition is that of an object.
  static bool is_object_body(const JsonValue& body) {
    const JsonValue* type = body.find("type");
    if (type != nullptr) return type->text() == field_type_name(FieldType::kObject);
    return body.find("properties") != nullptr || body.find("dynamic") != nullptr ||
           (body.members().size() == 1 && body.find("enabled") != nullptr);
  }

  Status read_mapper(const JsonValue& body, const std::string& path, Mapper& mapper,
                     const Mapper* onto) {
    if (!body.is_object()) {
      return mapper_parsing("Expected map for property [" + path + "] but got " + body.to_json());
    }
    const JsonValue* type = body.find("type");
    if (type == nullptr) {
      if (is_object_body(body)) return read_object(body, path, mapper, onto);
      return mapper_parsing("No type specified for field [" + path + "]");
    }
    if (!type->is_string())
      return mapper_parsing("[type] of field [" + path + "] must be a string, got " +
                            type->to_json());
    if (is_unsupported_type(type->text())) {
      return mapper_parsing("Field [" + path + "] has type [" + std::string(type->text()) +
                            "], which is not supported");
    }
    mapper.as_you_type = type->text() == kAsYouType;
    if (mapper.as_you_type) {
      mapper.type = FieldType::kText;
    } else if (!parse_field_type(type->text(), mapper.type)) {
      return mapper_parsing("No handler for type [" + std::string(type->text()) +
                            "] declared on field [" + path + "]");
    }
    if (mapper.is_object()) return read_object(body, path, mapper, onto);
    return mapper.type == FieldType::kAlias ? read_alias(body, path, mapper)
                                            : read_field(body, path, mapper);
  }

  Status read_object(const JsonValue& body, const std::string& path, Mapper& mapper,
                     const Mapper* onto) {
    QUARRY_RETURN_IF_ERROR(read_head(body, path, mapper, onto));
    std::string unknown;
    for (const JsonValue::Member& member : body.members()) {
      if (member.first == "type") continue;
      QUARRY_ASSIGN_OR_RETURN(const bool known,
                              read_object_key(member.first, member.second, path, mapper, onto));
      if (!known) unknown += member_text(member);
    }
    if (unknown.empty()) return {};
    return mapper_parsing("Mapping definition for [" + path +
                          "] has unsupported parameters: " + unknown);
  }

  static Status read_alias(const JsonValue& body, const std::string& path, Mapper& mapper) {
    for (const auto& [key, value] : body.members()) {
      if (key == "type") continue;
      if (key != "path")
        return mapper_parsing("unknown parameter [" + key + "] on mapper [" + path +
                              "] of type [alias]");
      mapper.path = value.text();
    }
    if (mapper.path.empty())
      return mapper_parsing("The [path] property must be specified for field [" + path + "].");
    return {};
  }

  Status read_field(const JsonValue& body, const std::string& path, Mapper& mapper) {
    const TypeParameters parameters = parameters_of(mapper.type);
    for (const auto& [key, value] : body.members()) {
      if (key == "type") continue;
      if (key == "fields") {
        QUARRY_RETURN_IF_ERROR(read_multi_fields(value, path, mapper));
        continue;
      }
      if (key == "synthetic_source_keep") {
        QUARRY_RETURN_IF_ERROR(read_source_keep(value, mapper));
        continue;
      }
      if (key == "copy_to") {
        QUARRY_RETURN_IF_ERROR(read_copy_to(value, path, mapper));
        continue;
      }
      if (mapper.as_you_type && key == "max_shingle_size") {
        QUARRY_ASSIGN_OR_RETURN(JsonValue size, read_shingle_size(value, path));
        mapper.parameters.insert_or_assign(key, std::move(size));
        continue;
      }
      if (mapper.as_you_type && key == "doc_values") {
        QUARRY_RETURN_IF_ERROR(check_no_doc_values(value, path));
        continue;
      }
      const Parameter* parameter = parameters.find(key);
      if (parameter == nullptr || (mapper.as_you_type && is_no_as_you_type_parameter(key))) {
        return mapper_parsing("unknown parameter [" + key + "] on mapper [" + path + "] of type [" +
                              std::string(mapper.type_name()) + "]");
      }
      QUARRY_ASSIGN_OR_RETURN(JsonValue normal,
                              read_parameter(*parameter, value, path, mapper.type));
      keep(*parameter, std::move(normal), mapper);
    }
    return {};
  }

  /// A value that equals the default is not stored, except where the default depends on the index's
  /// settings, and for vectors, whose parameters are printed as given.
  static void keep(const Parameter& parameter, JsonValue value, Mapper& mapper) {
    if (value.is_null()) return;
    const bool is_default = parameter.kind != ParameterKind::kFlag &&
                            mapper.type != FieldType::kDenseVector &&
                            value == mapper.effective(parameter.name);
    if (!is_default)
      mapper.parameters.insert_or_assign(std::string(parameter.name), std::move(value));
  }

  Status read_multi_fields(const JsonValue& json, const std::string& path, Mapper& mapper) {
    if (json.is_array() && json.items().empty()) return {};
    if (!json.is_object()) {
      return mapper_parsing("expected map for property [fields] on field [" + path + "] but got " +
                            json.to_json());
    }
    if (!field_traits(mapper.type).has_multi_fields) {
      return mapper_parsing("Field [" + path + "] of type [" +
                            std::string(field_type_name(mapper.type)) + "] can't have multifields");
    }
    for (const auto& [name, body] : json.members()) {
      if (name.find('.') != std::string::npos) {
        return mapper_parsing("Field name [" + name + "] which is a multi field of [" + path +
                              "] cannot contain '.'");
      }
      if (name.empty())
        return {ErrorType::kIllegalArgument, "field name cannot be an empty string"};
      const std::string full = path + "." + name;
      const JsonValue* type = body.find("type");
      if (type == nullptr) return mapper_parsing("no type specified for property [" + name + "]");
      if (type->text() == "object" || type->text() == "alias" || type->text() == "nested" ||
          type->text() == "flattened") {
        return mapper_parsing("Type [" + std::string(type->text()) +
                              "] cannot be used in multi field");
      }
      FieldType sub{};
      if (parse_field_type(type->text(), sub) && !field_traits(sub).in_multi_fields) {
        return mapper_parsing("Field [" + full + "] of type [" + std::string(type->text()) +
                              "] can't be used in multifields");
      }
      if (body.find("copy_to") != nullptr) {
        return mapper_parsing(
            "copy_to in multi fields is not allowed. Found the copy_to in field [" + full +
            "] which is within a multi field.");
      }
      if (body.find("fields") != nullptr) {
        return mapper_parsing("Encountered a multi-field [" + full +
                              "] which itself contains a multi-field. Defining chained "
                              "multi-fields is not supported.");
      }
      auto field = std::make_unique<Mapper>();
      QUARRY_RETURN_IF_ERROR(read_mapper(body, full, *field, nullptr));
      mapper.fields.emplace(name, std::move(field));
    }
    return {};
  }

  static Status read_copy_to(const JsonValue& json, const std::string& path, Mapper& mapper) {
    if (json.is_string()) {
      mapper.copy_to.emplace_back(json.text());
    } else if (json.is_array()) {
      for (const JsonValue& item : json.items()) {
        if (!item.is_string())
          return mapper_parsing("[copy_to] of field [" + path + "] must hold strings, got " +
                                item.to_json());
        mapper.copy_to.emplace_back(item.text());
      }
    } else {
      return mapper_parsing("[copy_to] of field [" + path +
                            "] must be a string or a list of strings, got " + json.to_json());
    }
    for (const std::string& target : mapper.copy_to)
      QUARRY_RETURN_IF_ERROR(split_field_name(target).status());
    return {};
  }

  const MappingContext& context_;
};

/// The value of "_doc" when it is the only key, else null.
const JsonValue* only_doc(const JsonValue* json) {
  return json != nullptr && json->members().size() == 1 ? json->find("_doc") : nullptr;
}

}  // namespace

bool is_typed_mapping(std::string_view json) {
  if (json.find("\"_doc\"") == std::string_view::npos) return false;
  const Result<JsonValue> parsed = JsonValue::parse(json);
  if (!parsed.ok()) return false;
  if (only_doc(&*parsed) != nullptr) return true;
  // If `_doc` were a property, that is a field, its definition would have a type.
  const JsonValue* property = only_doc(parsed->find("properties"));
  return property != nullptr && property->find("properties") != nullptr &&
         property->find("type") == nullptr;
}

bool is_below_type(std::string_view json) {
  if (json.find("\"_doc\"") == std::string_view::npos) return false;
  const Result<JsonValue> parsed = JsonValue::parse(json);
  return parsed.ok() && only_doc(&*parsed) != nullptr;
}

Result<RootMapper> read_mapping(std::string_view text, const MappingContext& context,
                                const RootMapper* onto) {
  RootMapper root;
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos) return root;
  // Every level of objects takes two levels of JSON.
  Result<JsonValue> parsed = JsonValue::parse(text, 2 * kDeepestMapping + kMaxJsonDepth);
  if (!parsed.ok()) return mapper_parsing("Failed to parse mapping: " + parsed.status().reason());
  if (!parsed->is_object())
    return mapper_parsing("Failed to parse mapping: a mapping must be an object, got " +
                          parsed->to_json());
  MapperReader reader(context);
  const Mapper* known = onto == nullptr ? nullptr : &onto->object;
  QUARRY_RETURN_IF_ERROR(MapperReader::read_head(*parsed, "", root.object, known));
  std::string unknown;
  for (const JsonValue::Member& member : parsed->members()) {
    QUARRY_ASSIGN_OR_RETURN(
        const bool of_object,
        reader.read_object_key(member.first, member.second, "", root.object, known));
    if (of_object) continue;
    QUARRY_ASSIGN_OR_RETURN(const bool of_root, read_root_key(member.first, member.second, root));
    if (!of_root) unknown += member_text(member);
  }
  if (!unknown.empty())
    return mapper_parsing("Root mapping definition has unsupported parameters: " + unknown);
  return root;
}

}  // namespace quarry
