// Derives mappings from values and collects them as the JSON of an update.
#include "mapping/schema/dynamic_fields.h"

#include <charconv>

#include "json/number.h"
#include "mapping/schema/field_name.h"
#include "mapping/values/numeric.h"

namespace quarry {

namespace {

constexpr std::string_view kKeywordLimit =
    "256";  // characters of a string that .keyword still indexes

JsonValue of_type(std::string_view type) {
  return JsonValue::object({{"type", JsonValue::string(std::string(type))}});
}

std::string joined_path(const DynamicFields::Path& path) {
  std::string joined;
  for (const std::string_view part : path) {
    if (!joined.empty()) joined += '.';
    joined += part;
  }
  return joined;
}

bool is_long(std::string_view text) {
  int64_t value = 0;
  if (text.starts_with('+')) text.remove_prefix(1);
  const auto [at, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && at == text.data() + text.size();
}

/// Text, with a keyword multi-field for sorting and aggregations.
JsonValue text_with_keyword() {
  JsonValue keyword = of_type("keyword");
  keyword.set("ignore_above", JsonValue::number(std::string(kKeywordLimit)));
  JsonValue text = of_type("text");
  text.set("fields", JsonValue::object({{"keyword", std::move(keyword)}}));
  return text;
}

/// Whether the mapping is an object to which no template added other parameters.
bool is_plain_object(const JsonValue& mapping) {
  const JsonValue* type = mapping.find("type");
  const size_t known =
      (type != nullptr ? 1U : 0U) + (mapping.find("properties") != nullptr ? 1U : 0U);
  return mapping.members().size() == known && (type == nullptr || type->text() == "object");
}

}  // namespace

Status DynamicFields::add(const Path& path, size_t known) {
  Path open(path.begin(), path.begin() + static_cast<std::ptrdiff_t>(known));
  while (open.size() + 1 < path.size()) {
    open.push_back(path[open.size()]);
    QUARRY_ASSIGN_OR_RETURN(const bool plain, open_object(open));
    if (plain) continue;
    return context_.scanner.skip_value() ? Status() : context_.malformed();
  }
  open.push_back(path.back());
  return add_value(open);
}

Status DynamicFields::add_copy(const std::string& target) {
  QUARRY_ASSIGN_OR_RETURN(Path path, split_field_name(target));
  const ObjectNode* node = &context_.mapping.root_node();
  size_t known = 0;
  while (known + 1 < path.size()) {
    if (node->flat) {
      path[known] = joined_from(path, known);
      path.resize(known + 1);
      break;
    }
    const auto child = node->children.find(path[known]);
    if (child == node->children.end()) break;
    if (child->second.kind != ObjectNode::Kind::kObject) {
      return context_.failed(
          Status(ErrorType::kIllegalArgument, "Cannot copy to field [" + target + "]: [" +
                                                  std::string(path[known]) + "] is no object"));
    }
    node = &context_.mapping.object(child->second.index);
    ++known;
  }
  if (node->dynamic == Dynamic::kStrict) {
    return context_.error(ErrorType::kStrictDynamicMapping,
                          "mapping set to strict, dynamic introduction of [" + target +
                              "] within [_doc] is not allowed");
  }
  if (node->dynamic != Dynamic::kTrue) return {};
  return add(path, known);
}

Status DynamicFields::add_value(Path& path) {
  JsonScanner& scanner = context_.scanner;
  switch (scanner.token()) {
    case JsonToken::kObjectStart:
      return add_object(path);
    case JsonToken::kArrayStart:
      while (scanner.next() != JsonToken::kArrayEnd) {
        QUARRY_RETURN_IF_ERROR(add_value(path));
      }
      return {};
    case JsonToken::kError:
      return context_.malformed();
    case JsonToken::kNull:
      return {};
    default:
      return add_scalar(path);
  }
}

Status DynamicFields::add_object(Path& path) {
  JsonScanner& scanner = context_.scanner;
  QUARRY_ASSIGN_OR_RETURN(const bool plain, open_object(path));
  if (!plain) return scanner.skip_value() ? Status() : context_.malformed();
  while (scanner.next() == JsonToken::kKey) {
    const Result<Path> parts = split_field_name(scanner.content(context_.out.arena));
    if (!parts.ok()) return context_.failed(parts.status());
    scanner.next();
    Path below = path;
    below.insert(below.end(), parts->begin(), parts->end());
    QUARRY_RETURN_IF_ERROR(add(below, path.size()));
  }
  return scanner.token() == JsonToken::kError ? context_.malformed() : Status();
}

Result<bool> DynamicFields::open_object(const Path& path) {
  const uint32_t limit = context_.mapping.context().limits.depth;
  if (path.size() + 1 > limit) {
    return Status(ErrorType::kIllegalArgument, "Limit of mapping depth [" + std::to_string(limit) +
                                                   "] has been exceeded due to object field [" +
                                                   joined_path(path) + "]");
  }
  if (const JsonValue* old = find(path)) return is_plain_object(*old);
  QUARRY_ASSIGN_OR_RETURN(std::optional<JsonValue> mapping,
                          from_template(path, DynamicKind::kObject, "object"));
  const bool plain = !mapping;
  QUARRY_RETURN_IF_ERROR(put(path, plain ? of_type("object") : std::move(*mapping)));
  return plain;
}

Status DynamicFields::add_scalar(const Path& path) {
  if (find(path) != nullptr) return {};
  const JsonScanner& scanner = context_.scanner;
  switch (scanner.token()) {
    case JsonToken::kString: {
      QUARRY_ASSIGN_OR_RETURN(JsonValue mapping, guess_string(path));
      return put(path, std::move(mapping));
    }
    case JsonToken::kNumber: {
      QUARRY_ASSIGN_OR_RETURN(JsonValue mapping,
                              guess_number(path, scanner.fractional(), scanner.raw()));
      return put(path, std::move(mapping));
    }
    default: {
      QUARRY_ASSIGN_OR_RETURN(JsonValue mapping, guess(path, DynamicKind::kBoolean, "boolean"));
      return put(path, std::move(mapping));
    }
  }
}

Result<std::optional<JsonValue>> DynamicFields::from_template(const Path& path, DynamicKind kind,
                                                              std::string_view default_type) {
  static const std::vector<DynamicTemplate> kNone;
  const std::optional<std::vector<DynamicTemplate>>& given =
      context_.mapping.definition_root().templates;
  const std::vector<DynamicTemplate>& templates = given ? *given : kNone;
  const bool may_choose = !context_.out.chosen_templates.empty();
  if (templates.empty() && !may_choose) return std::optional<JsonValue>();
  const std::string full = joined_path(path);
  const std::string_view chosen = may_choose ? chosen_template(full) : std::string_view();
  for (const DynamicTemplate& entry : templates) {
    bool fits = entry.name() == chosen;
    if (chosen.empty()) {
      QUARRY_ASSIGN_OR_RETURN(fits, entry.matches(full, path.back(), kind, context_.analysis));
    }
    if (fits) return std::optional<JsonValue>(entry.mapping(path.back(), default_type));
  }
  if (chosen.empty()) return std::optional<JsonValue>();
  return context_.error("Can't find dynamic template for dynamic template name [" +
                        std::string(chosen) + "] of field [" + full + "]");
}

std::string_view DynamicFields::chosen_template(const std::string& path) {
  if (!chosen_) {
    Result<JsonValue> parsed = JsonValue::parse(context_.out.chosen_templates);
    chosen_ = parsed.ok() ? std::move(parsed).value() : JsonValue::object();
  }
  const JsonValue* name = chosen_->find(path);
  return name == nullptr ? std::string_view() : name->text();
}

Result<JsonValue> DynamicFields::guess(const Path& path, DynamicKind kind,
                                       std::string_view default_type) {
  QUARRY_ASSIGN_OR_RETURN(std::optional<JsonValue> mapping,
                          from_template(path, kind, default_type));
  return mapping ? std::move(*mapping) : of_type(default_type);
}

Result<JsonValue> DynamicFields::guess_string(const Path& path) {
  const std::string_view text = context_.scanner.content(context_.out.arena);
  const bool whole = is_long(text);
  const bool number = whole || parse_double(text).has_value();
  if (number && context_.mapping.definition_root().numeric_detection.value_or(false)) {
    return whole ? guess(path, DynamicKind::kLong, "long")
                 : guess(path, DynamicKind::kDouble, "float");
  }
  // Numbers are not detected as dates, though some formats would accept them.
  if (!number) {
    for (const std::shared_ptr<const DateFormats>& formats : context_.mapping.detected_formats()) {
      if (!formats->parse(text)) continue;
      QUARRY_ASSIGN_OR_RETURN(JsonValue mapping, guess(path, DynamicKind::kDate, "date"));
      const bool other =
          mapping.find("type")->text() != "date" || mapping.find("format") != nullptr;
      if (!other && formats->text() != kDefaultDateFormat)
        mapping.set("format", JsonValue::string(formats->text()));
      return mapping;
    }
  }
  QUARRY_ASSIGN_OR_RETURN(std::optional<JsonValue> mapping,
                          from_template(path, DynamicKind::kString, "text"));
  return mapping ? std::move(*mapping) : text_with_keyword();
}

/// A number beyond the range of the derived type is refused here, before the field is created.
Result<JsonValue> DynamicFields::guess_number(const Path& path, bool fractional,
                                              std::string_view text) {
  const DynamicKind kind = fractional ? DynamicKind::kDouble : DynamicKind::kLong;
  QUARRY_ASSIGN_OR_RETURN(std::optional<JsonValue> mapping,
                          from_template(path, kind, fractional ? "float" : "long"));
  if (mapping) return std::move(*mapping);
  Field field;
  field.name = joined_path(path);
  field.type = fractional ? FieldType::kFloat : FieldType::kLong;
  const Result<int64_t> value = parse_value(field, text, false);
  if (!value.ok() && !context_.mapping.context().limits.ignore_malformed) {
    return context_.misfit(field, value.status().cause());
  }
  return of_type(field_type_name(field.type));
}

Status DynamicFields::put(const Path& path, JsonValue mapping) {
  const MappingLimits& limits = context_.mapping.context().limits;
  ++added_;
  if (const JsonValue* fields = mapping.find("fields")) added_ += fields->members().size();
  if (context_.mapping.field_count() + added_ > limits.total_fields) {
    return {ErrorType::kIllegalArgument,
            "Limit of total fields [" + std::to_string(limits.total_fields) +
                "] has been exceeded while adding new fields [" + std::to_string(added_) + "]"};
  }
  place(path, std::move(mapping));
  return {};
}

/// The start of the definition of an object: an update of a nested one has to repeat that it is.
JsonValue DynamicFields::known_object(const std::string& path) const {
  JsonValue object = JsonValue::object();
  if (context_.mapping.nested_level(path) == 0) return object;
  const Result<JsonValue> given = JsonValue::parse(context_.mapping.definition(path, false));
  if (!given.ok()) return object;
  for (const char* key : {"type", "include_in_parent", "include_in_root"}) {
    if (const JsonValue* value = given->find(key)) object.set(key, *value);
  }
  return object;
}

void DynamicFields::place(const Path& path, JsonValue mapping) {
  JsonValue* properties = &properties_;
  std::string above;
  for (size_t i = 0; i + 1 < path.size(); ++i) {
    const std::string name(path[i]);
    above += (i > 0 ? "." : "") + name;
    JsonValue* object = properties->find(name);
    if (object == nullptr) {
      properties->set(name, known_object(above));
      object = properties->find(name);
    }
    if (object->find("properties") == nullptr) object->set("properties", JsonValue::object());
    properties = object->find("properties");
  }
  properties->set(std::string(path.back()), std::move(mapping));
}

Status DynamicFields::set_parameter(const std::string& name, std::string parameter,
                                    JsonValue value) {
  QUARRY_ASSIGN_OR_RETURN(Path path, split_field_name(name));
  const ObjectNode* node = &context_.mapping.root_node();
  for (size_t i = 0; i + 1 < path.size(); i++) {
    if (node->flat) {
      path[i] = joined_from(path, i);
      path.resize(i + 1);
      break;
    }
    const auto child = node->children.find(path[i]);
    if (child == node->children.end() || child->second.kind != ObjectNode::Kind::kObject) break;
    node = &context_.mapping.object(child->second.index);
  }
  // A second value in the same document is checked when the document is parsed again.
  if (find(path) != nullptr) return {};
  QUARRY_ASSIGN_OR_RETURN(JsonValue mapping,
                          JsonValue::parse(context_.mapping.definition(name, false)));
  mapping.set(std::move(parameter), std::move(value));
  place(path, std::move(mapping));
  return {};
}

const JsonValue* DynamicFields::find(const Path& path) const {
  const JsonValue* properties = &properties_;
  for (size_t i = 0; i < path.size(); ++i) {
    const JsonValue* entry = properties->find(path[i]);
    if (entry == nullptr || i + 1 == path.size()) return entry;
    properties = entry->find("properties");
    if (properties == nullptr) return nullptr;
  }
  return nullptr;
}

std::string DynamicFields::to_json() const {
  if (properties_.members().empty()) return {};
  return JsonValue::object({{"properties", properties_}}).to_json();
}

}  // namespace quarry
