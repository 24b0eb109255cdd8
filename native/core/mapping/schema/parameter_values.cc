// Checks the values of parameters (declared in mapping/schema/parameters.h).
#include <algorithm>
#include <cmath>

#include "base/status.h"
#include "json/number.h"
#include "mapping/schema/parameters.h"
#include "mapping/schema/semantic_parameters.h"
#include "mapping/schema/vector_parameters.h"
#include "mapping/values/geo_point.h"

namespace quarry {

namespace {

std::string on_mapper(std::string_view parameter, const std::string& field, FieldType type) {
  return "[" + std::string(parameter) + "] on mapper [" + field + "] of type [" +
         std::string(field_type_name(type)) + "]";
}

Result<JsonValue> read_bool(const JsonValue& value, const std::string& where) {
  if (value.kind() == JsonValue::Kind::kBool) return value;
  if (value.text() == "true" || value.text() == "false")
    return JsonValue::boolean(value.text() == "true");
  return mapper_parsing(where + ": Failed to parse value [" + std::string(value.text()) +
                        "] as only [true] or [false] are allowed.");
}

Result<JsonValue> read_count(const Parameter& parameter, const JsonValue& value,
                             const std::string& where) {
  const std::optional<int64_t> count = value.as_int();
  if (!count || *count > INT32_MAX) {
    return mapper_parsing(where + " must be a whole number, got [" + std::string(value.text()) +
                          "]");
  }
  if (*count < 0) {
    return mapper_parsing("[" + std::string(parameter.name) + "] must be positive, got [" +
                          std::to_string(*count) + "] (" + where + ")");
  }
  return JsonValue::number(std::to_string(*count));
}

std::string with_commas(std::string_view choices) {
  std::string text(choices);
  for (size_t at = text.find('|'); at != std::string::npos; at = text.find('|', at))
    text.replace(at, 1, ", ");
  return text;
}

Result<JsonValue> read_choice(const Parameter& parameter, const JsonValue& value,
                              const std::string& where) {
  const std::string text(value.text());
  const std::string all = "|" + std::string(parameter.choices) + "|";
  const bool known = !text.empty() && text.find('|') == std::string::npos &&
                     all.find("|" + text + "|") != std::string::npos;
  const bool flag = parameter.fallback == "true" || parameter.fallback == "false";
  if (known && !flag) return JsonValue::string(text);
  if (known) return JsonValue::boolean(text == "true");
  if (parameter.choices.find('|') == std::string_view::npos) {
    return mapper_parsing(where + " does not support [" + value.to_json() + "], only [" +
                          std::string(parameter.choices) + "]");
  }
  return mapper_parsing("Unknown value [" + text + "] for field [" + std::string(parameter.name) +
                        "] - accepted values are [" + with_commas(parameter.choices) + "]");
}

Result<JsonValue> read_meta(const JsonValue& value, const std::string& field) {
  constexpr size_t kMostEntries = 5;
  constexpr size_t kLongestKey = 20;
  constexpr size_t kLongestValue = 50;
  if (!value.is_object()) {
    return mapper_parsing("[meta] must be an object, got " + value.to_json() + " for field [" +
                          field + "]");
  }
  if (value.members().size() > kMostEntries) {
    return mapper_parsing("[meta] can't have more than 5 entries, but got " +
                          std::to_string(value.members().size()) + " on field [" + field + "]");
  }
  std::vector<JsonValue::Member> sorted = value.members();
  std::sort(sorted.begin(), sorted.end(),
            [](const auto& a, const auto& b) { return a.first < b.first; });
  for (const auto& [key, entry] : sorted) {
    if (key.size() > kLongestKey) {
      return mapper_parsing("[meta] keys can't be longer than 20 chars, but got [" + key +
                            "] for field [" + field + "]");
    }
    if (!entry.is_string()) {
      return mapper_parsing("[meta] values can only be strings, but got [" + entry.to_json() +
                            "] for field [" + field + "]");
    }
    if (entry.text().size() > kLongestValue) {
      return mapper_parsing("[meta] values can't be longer than 50 chars, but got [" +
                            std::string(entry.text()) + "] for field [" + field + "]");
    }
  }
  return JsonValue::object(std::move(sorted));
}

/// A point that documents may have, as mappings print it.
Result<JsonValue> read_null_point(const JsonValue& value, const std::string& where) {
  if (value.is_null()) return JsonValue::null();
  const Result<GeoPoint> point = read_point(value, true);
  if (!point.ok()) return mapper_parsing(where + ": " + point.status().reason());
  const std::string problem = check_coordinates(*point);
  if (!problem.empty()) return mapper_parsing(where + ": " + problem);
  return JsonValue::object({{"lat", JsonValue::number(format_double(point->lat))},
                            {"lon", JsonValue::number(format_double(point->lon))}});
}

/// Reads {"min_chars": 2, "max_chars": 5}, within 1 to 20.
Result<JsonValue> read_prefixes(const JsonValue& value, const std::string& where) {
  if (value.is_null()) return JsonValue::null();
  if (!value.is_object())
    return mapper_parsing(where + " must be an object, got " + value.to_json());
  int64_t least = 2;
  int64_t most = 5;
  for (const auto& [key, number] : value.members()) {
    if (key != "min_chars" && key != "max_chars")
      return mapper_parsing("unknown parameter [" + key + "] in " + where);
    (key == "min_chars" ? least : most) = number.as_int().value_or(-1);
  }
  if (least < 1 || most < least || most > 19) {
    return mapper_parsing(where + " must have 0 < [min_chars] <= [max_chars] < 20, got " +
                          value.to_json());
  }
  return JsonValue::object({{"min_chars", JsonValue::number(std::to_string(least))},
                            {"max_chars", JsonValue::number(std::to_string(most))}});
}

}  // namespace

Result<JsonValue> read_parameter(const Parameter& parameter, const JsonValue& value,
                                 const std::string& field, FieldType type) {
  const std::string where = on_mapper(parameter.name, field, type);
  const bool may_be_null =
      parameter.kind == ParameterKind::kScalar || parameter.kind == ParameterKind::kPoint ||
      parameter.kind == ParameterKind::kPrefixes || parameter.kind == ParameterKind::kVectorIndex ||
      parameter.name == "similarity";
  if (parameter.kind == ParameterKind::kRefused) return mapper_parsing(where + " is not supported");
  if (value.is_null() && !may_be_null)
    return mapper_parsing(where + " must not have a [null] value");
  const bool container = value.is_object() || value.is_array();
  const bool takes_containers =
      parameter.kind == ParameterKind::kMeta || parameter.kind == ParameterKind::kPoint ||
      parameter.kind == ParameterKind::kPrefixes || parameter.kind == ParameterKind::kVectorIndex ||
      parameter.kind == ParameterKind::kEndpoint;
  if (container && !takes_containers) {
    return mapper_parsing(where + " must be a simple value, got " + value.to_json());
  }
  switch (parameter.kind) {
    case ParameterKind::kBool:
    case ParameterKind::kFlag:
      return read_bool(value, where);
    case ParameterKind::kNumber: {
      const std::optional<double> number = value.as_double();
      if (!number || !std::isfinite(*number)) {
        return mapper_parsing(where + " must be a number, got [" + std::string(value.text()) + "]");
      }
      return JsonValue::number(format_double(*number));
    }
    case ParameterKind::kCount:
      return read_count(parameter, value, where);
    case ParameterKind::kChoice:
      return value.is_null() ? value : read_choice(parameter, value, where);
    case ParameterKind::kName:
      return value.is_null() ? value : JsonValue::string(std::string(value.text()));
    case ParameterKind::kMeta:
      return read_meta(value, field);
    case ParameterKind::kPoint:
      return read_null_point(value, where);
    case ParameterKind::kPrefixes:
      return read_prefixes(value, where);
    case ParameterKind::kVectorIndex:
      return value.is_null() ? value : read_vector_index(value, field);
    case ParameterKind::kEndpoint:
      return read_inference_endpoint(value, field);
    default:
      return value;
  }
}

}  // namespace quarry
