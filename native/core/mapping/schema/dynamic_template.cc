// Parses, matches, expands and prints dynamic templates.
#include "mapping/schema/dynamic_template.h"

#include <algorithm>
#include <iterator>

#include "json/source_filter.h"
#include "mapping/schema/field_type.h"

namespace quarry {

namespace {

constexpr std::string_view kKindNames[] = {"string", "long",   "double", "boolean",
                                           "date",   "object", "binary"};

void replace_all(std::string& text, std::string_view what, std::string_view with) {
  for (size_t at = text.find(what); at != std::string::npos;
       at = text.find(what, at + with.size())) {
    text.replace(at, what.size(), with);
  }
}

/// Replaces the placeholders in names and strings of the whole tree.
JsonValue fill(const JsonValue& value, std::string_view field, std::string_view type) {
  const auto filled = [&](std::string_view text) {
    std::string out(text);
    replace_all(out, "{name}", field);
    replace_all(out, "{dynamic_type}", type);
    replace_all(out, "{dynamicType}", type);
    return out;
  };
  if (value.is_string()) return JsonValue::string(filled(value.text()));
  if (value.is_array()) {
    std::vector<JsonValue> items;
    for (const JsonValue& item : value.items()) items.push_back(fill(item, field, type));
    return JsonValue::array(std::move(items));
  }
  if (!value.is_object()) return value;
  JsonValue object = JsonValue::object();
  for (const auto& [key, member] : value.members())
    object.set(filled(key), fill(member, field, type));
  return object;
}

}  // namespace

std::string_view dynamic_kind_name(DynamicKind kind) {
  return kKindNames[static_cast<size_t>(kind)];
}

Status DynamicTemplate::read_patterns(const JsonValue& value, std::string_view key,
                                      Patterns& out) const {
  out.single = value.is_string();
  if (out.single) {
    out.list.emplace_back(value.text());
    return {};
  }
  for (const JsonValue& item : value.items()) {
    if (item.is_string()) out.list.emplace_back(item.text());
  }
  if (!value.is_array() || out.list.size() != value.items().size()) {
    return {ErrorType::kMapperParsing, "[" + std::string(key) +
                                           "] values must either be a string or list of strings, "
                                           "but was [" +
                                           value.to_json() + "] (dynamic template [" + name_ +
                                           "])"};
  }
  return {};
}

Status DynamicTemplate::refuse(const std::string& why) const {
  return {ErrorType::kMapperParsing, "dynamic template [" + name_ + "] " + why};
}

Status DynamicTemplate::read_key(const std::string& key, const JsonValue& value) {
  if (key == "match") return read_patterns(value, key, match_);
  if (key == "unmatch") return read_patterns(value, key, unmatch_);
  if (key == "path_match") return read_patterns(value, key, path_match_);
  if (key == "path_unmatch") return read_patterns(value, key, path_unmatch_);
  if (key == "match_mapping_type") return read_patterns(value, key, kinds_);
  if (key == "unmatch_mapping_type") return read_patterns(value, key, not_kinds_);
  if (key == "match_pattern") {
    match_pattern_ = value.text();
    if (match_pattern_ == "simple" || match_pattern_ == "regex") return {};
    return refuse("has no [match_pattern] [" + match_pattern_ + "], use [simple] or [regex]");
  }
  if (key == "runtime") return refuse("has [runtime], but runtime fields are not supported");
  if (key != "mapping" || !value.is_object()) {
    return refuse("has unsupported parameter [" + key + " : " + value.to_json() + "]");
  }
  mapping_ = value;
  return {};
}

Status DynamicTemplate::check() const {
  if (!mapping_.is_object()) return refuse("must have a [mapping] object");
  for (const Patterns* kinds : {&kinds_, &not_kinds_}) {
    for (const std::string& kind : kinds->list) {
      const bool known =
          std::find(std::begin(kKindNames), std::end(kKindNames), kind) != std::end(kKindNames);
      if (known || kind == "*") continue;
      return refuse(
          "has no field type matched on [" + kind +
          "], possible values are [object, string, long, double, boolean, date, binary, *]");
    }
  }
  return {};
}

Result<DynamicTemplate> DynamicTemplate::parse(const std::string& name, const JsonValue& body) {
  DynamicTemplate result;
  result.name_ = name;
  if (!body.is_object()) return result.refuse("has invalid content [" + body.to_json() + "]");
  for (const auto& [key, value] : body.members()) {
    QUARRY_RETURN_IF_ERROR(result.read_key(key, value));
  }
  QUARRY_RETURN_IF_ERROR(result.check());
  if (result.match_pattern_ != "regex") return result;
  for (Patterns* patterns :
       {&result.match_, &result.unmatch_, &result.path_match_, &result.path_unmatch_}) {
    QUARRY_RETURN_IF_ERROR(result.compile_regexes(*patterns));
  }
  return result;
}

Status DynamicTemplate::compile_regexes(Patterns& patterns) const {
  for (const std::string& pattern : patterns.list) {
    // Alone first: a pattern must not close the group around it.
    Status status = Regex::compile(pattern).status();
    if (status.ok()) {
      Result<Regex> whole = Regex::compile("\\A(?:" + pattern + ")\\z");
      status = whole.status();
      if (status.ok()) patterns.regexes.push_back(std::move(whole).value());
    }
    if (status.ok()) continue;
    return Status(ErrorType::kMapperParsing,
                  "Pattern [" + pattern +
                      "] of type [regex] is invalid. Cannot create dynamic template [" + name_ +
                      "]: " + status.reason())
        .with_cause(status.reason());
  }
  return {};
}

Result<bool> DynamicTemplate::any_match(const Patterns& patterns, std::string_view text,
                                        AnalysisBudget& budget) const {
  if (patterns.regexes.empty()) {
    return std::any_of(patterns.list.begin(), patterns.list.end(),
                       [text](const std::string& pattern) { return simple_match(pattern, text); });
  }
  budget.start_text(text.size());
  Regex::Groups groups;
  for (const Regex& regex : patterns.regexes) {
    if (regex.search(text, 0, budget, groups)) return true;
    if (budget.exceeded()) return budget.refusal("dynamic template [" + name_ + "]");
  }
  return false;
}

Result<bool> DynamicTemplate::matches(std::string_view path, std::string_view field,
                                      DynamicKind kind, AnalysisBudget& budget) const {
  const std::string_view name = dynamic_kind_name(kind);
  const std::pair<const Patterns*, std::string_view> wanted[] = {
      {&match_, field}, {&path_match_, path}, {&kinds_, name}};
  const std::pair<const Patterns*, std::string_view> unwanted[] = {
      {&unmatch_, field}, {&path_unmatch_, path}, {&not_kinds_, name}};
  bool conditions = false;
  for (const auto& [patterns, text] : wanted) {
    if (patterns->list.empty()) continue;
    conditions = true;
    QUARRY_ASSIGN_OR_RETURN(const bool matched, any_match(*patterns, text, budget));
    if (!matched) return false;
  }
  for (const auto& [patterns, text] : unwanted) {
    if (patterns->list.empty()) continue;
    conditions = true;
    QUARRY_ASSIGN_OR_RETURN(const bool matched, any_match(*patterns, text, budget));
    if (matched) return false;
  }
  return conditions && fits_kind(kind);
}

bool DynamicTemplate::fits_kind(DynamicKind kind) const {
  // A template for leaves ("*" to keyword) would turn their parent objects into fields.
  const bool for_objects =
      std::find(kinds_.list.begin(), kinds_.list.end(), "object") != kinds_.list.end();
  const JsonValue* type = mapping_.find("type");
  if (kind != DynamicKind::kObject || for_objects || type == nullptr) return true;
  FieldType found{};
  return parse_field_type(type->text(), found) && field_traits(found).takes_objects();
}

JsonValue DynamicTemplate::mapping(std::string_view field, std::string_view default_type) const {
  JsonValue result = fill(mapping_, field, default_type);
  const JsonValue* type = result.find("type");
  if (type == nullptr) {
    std::vector<JsonValue::Member> members{{"type", JsonValue::string(std::string(default_type))}};
    for (JsonValue::Member& member : result.members()) members.push_back(std::move(member));
    result = JsonValue::object(std::move(members));
  }
  return result;
}

void DynamicTemplate::print(JsonValue& json, const char* key, const Patterns& patterns) {
  if (patterns.list.empty()) return;
  if (patterns.single) {
    json.set(key, JsonValue::string(patterns.list.front()));
    return;
  }
  JsonValue list = JsonValue::array();
  for (const std::string& pattern : patterns.list)
    list.items().push_back(JsonValue::string(pattern));
  json.set(key, std::move(list));
}

JsonValue DynamicTemplate::to_json() const {
  JsonValue json = JsonValue::object();
  print(json, "match", match_);
  print(json, "path_match", path_match_);
  print(json, "unmatch", unmatch_);
  print(json, "path_unmatch", path_unmatch_);
  print(json, "match_mapping_type", kinds_);
  print(json, "unmatch_mapping_type", not_kinds_);
  if (!match_pattern_.empty()) json.set("match_pattern", JsonValue::string(match_pattern_));
  json.set("mapping", mapping_);
  return json;
}

}  // namespace quarry
