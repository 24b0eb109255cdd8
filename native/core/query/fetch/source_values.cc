// Values of the source as the mapping interprets them, for the `fields` option.
#include <charconv>
#include <utility>

#include "json/number.h"
#include "json/path_values.h"
#include "mapping/dates/date_format.h"
#include "mapping/values/feature_value.h"
#include "mapping/values/geo_point.h"
#include "mapping/values/numeric.h"
#include "mapping/values/range_value.h"
#include "query/fetch/fetch_fields.h"

namespace quarry {
namespace {

/// Calls `take` with every value at `path`, and with each item of arrays.
template <typename Take>
void each_value(const JsonValue& source, std::string_view path, Take& take) {
  auto open = [&take](const JsonValue& value, auto& self) -> void {
    if (!value.is_array()) return take(value);
    for (const JsonValue& item : value.items()) self(item, self);
  };
  auto take_whole = [&open](const JsonValue& value) { open(value, open); };
  each_value_at(source, path, take_whole);
}

void append_quoted(std::string_view text, std::vector<std::string>& out) {
  std::string json;
  append_json_string(json, text);
  out.push_back(std::move(json));
}

/// The points of a value of a geo_point, one or a list; those that the index rejected are ignored.
void append_points(const RequestedField& requested, const JsonValue& value, SourceTexts& out) {
  if (value.is_array() && !is_coordinate_array(value)) {
    for (const JsonValue& item : value.items()) append_points(requested, item, out);
    return;
  }
  if (value.is_null()) return;  // as in Elasticsearch, whatever the null_value
  const Field& field = *requested.field;
  Result<GeoPoint> point = read_point(value, field.ignore_z);
  if (point.ok() && field.ignore_malformed) *point = normalized(*point);
  if (!point.ok() || !check_coordinates(*point).empty()) {
    out.ignored.push_back(value.to_json());
  } else if (requested.as_wkt) {
    append_quoted(point_to_wkt(*point), out.values);
  } else {
    out.values.push_back(point_to_geojson(*point));
  }
}

uint64_t characters(std::string_view text) {
  uint64_t count = 0;
  for (const char c : text) count += (static_cast<uint8_t>(c) & 0xc0) != 0x80 ? 1 : 0;
  return count;
}

/// Normalizes a keyword; false if it, or its normal form, is too long to be indexed.
bool normalize_keyword(const Field& field, std::string& text) {
  if (!field.is_keyword()) return true;
  if (characters(text) > field.ignore_above) return false;
  if (field.normalizer == nullptr) return true;
  Result<std::string> normal = field.normalizer->normalize(text);
  if (normal.ok()) text = *std::move(normal);
  return normal.ok();
}

void append_value_text(const Field& field, std::string text, std::vector<std::string>& out) {
  if (normalize_keyword(field, text)) append_quoted(text, out);
}

/// A flattened object without strings that are too long for the index, and without lists that this
/// leaves empty. As in Elasticsearch this applies only to its direct members and the items of lists
/// among them; nested objects are unchanged. A list with one remaining value is replaced by the
/// value.
JsonValue without_long_texts(const Field& field, const JsonValue& object) {
  const auto stays = [&field](const JsonValue& value) {
    return !value.is_null() &&
           (!value.is_string() || characters(value.text()) <= field.ignore_above);
  };
  JsonValue out = JsonValue::object();
  for (const auto& [key, member] : object.members()) {
    if (!member.is_array()) {
      if (stays(member)) out.set(key, member);
      continue;
    }
    JsonValue list = JsonValue::array();
    for (const JsonValue& item : member.items()) {
      if (stays(item)) list.items().push_back(item);
    }
    const size_t left = list.items().size();
    if (left > 0) out.set(key, left == 1 ? std::move(list.items()[0]) : std::move(list));
  }
  return out;
}

/// Appends the indexed part of a whole flattened field, or any value at one of its keys.
void append_flattened(const RequestedField& requested, const JsonValue& value,
                      std::vector<std::string>& out) {
  if (value.is_null()) return;
  if (!requested.prefix.empty() || !value.is_object()) {
    out.push_back(value.to_json());
    return;
  }
  const JsonValue kept = without_long_texts(*requested.field, value);
  if (!kept.members().empty()) out.push_back(kept.to_json());
}

/// The shortest digits that identify the float32.
std::string float_json(double value) {
  char digits[32];
  const auto end = std::to_chars(digits, digits + sizeof(digits), static_cast<float>(value));
  double shortest = 0;
  std::from_chars(digits, end.ptr, shortest);
  return format_double(shortest);
}

bool prints_as_float(const Field& field) {
  const FloatKind precision = field.traits().precision;
  return precision == FloatKind::kSingle || precision == FloatKind::kHalf;
}

/// A scalar in the spelling of the field's type; values that do not fit the type are dropped.
void append_value(const RequestedField& requested, std::string_view text, bool quoted,
                  std::vector<std::string>& out) {
  const Field& field = *requested.field;
  if (field.is_numeric()) {
    const Result<int64_t> number = parse_value(field, text, quoted);
    if (!number.ok()) return;
    if (requested.format == nullptr) {
      out.push_back(prints_as_float(field) ? float_json(double_from_sortable(*number))
                                           : column_to_json(field, *number));
    } else {
      append_value_text(field, format_date(field, *number, requested.format.get()), out);
    }
    return;
  }
  if (field.is_range()) {
    std::string json = range_to_json(field, JsonValue::string(std::string(text)), nullptr);
    if (quoted && !json.empty()) out.push_back(std::move(json));
    return;
  }
  if (field.traits().features == FeatureKind::kSingle) {
    const Result<float> number = parse_feature(text);
    if (number.ok()) out.push_back(float_json(*number));
    return;
  }
  if (const TermCodec* codec = field.traits().codec) {
    const Result<std::string> term = codec->encode(text);
    if (term.ok()) append_value_text(field, codec->print(*term), out);
    return;
  }
  if (field.has_vectors() && !quoted) {
    out.emplace_back(text);
    return;
  }
  append_value_text(field, std::string(text), out);
}

}  // namespace

SourceTexts source_texts(const RequestedField& requested, const JsonValue& source) {
  SourceTexts out;
  const Field& field = *requested.field;
  // All documents have the constant, whether or not their source contains it.
  if (field.constant) append_value_text(field, *field.constant, out.values);
  const SourceForm form = field.traits().source;
  if (form == SourceForm::kNothing) return out;
  // Counted values are only in the column.
  if (form == SourceForm::kCounted && !field.doc_values) return out;
  auto take = [&](const JsonValue& value) {
    const size_t before = out.values.size();
    if (form == SourceForm::kFlattened) {
      append_flattened(requested, value, out.values);
      if (value.is_object() && out.values.size() == before) out.ignored.push_back(value.to_json());
    } else if (value.is_object() && form == SourceForm::kObject) {
      out.values.push_back(value.to_json());
    } else if (value.is_object()) {
      std::string json =
          form == SourceForm::kRange ? range_to_json(field, value, requested.format.get()) : "";
      if (!json.empty()) out.values.push_back(std::move(json));
    } else if (!value.is_null()) {
      append_value(requested, value.text(), value.is_string(), out.values);
      if (out.values.size() == before && form != SourceForm::kCounted)
        out.ignored.push_back(value.to_json());
    } else if (field.null_value) {
      append_value(requested, *field.null_value, true, out.values);
      if (out.values.size() == before) append_quoted(*field.null_value, out.ignored);
    }
  };
  auto take_points = [&](const JsonValue& value) { append_points(requested, value, out); };
  for (const std::string& path : requested.paths) {
    if (form == SourceForm::kPoint) {
      each_value_at(source, path, take_points);
    } else {
      each_value(source, path, take);
    }
  }
  return out;
}

std::vector<std::string> plain_texts(const RequestedField& requested, const JsonValue& source) {
  std::vector<std::string> out;
  const Field& field = *requested.field;
  auto take = [&](const JsonValue& value) {
    if (value.is_object() || (value.is_null() && !field.null_value)) return;
    std::string text(value.is_null() ? *field.null_value : value.text());
    if (normalize_keyword(field, text)) out.push_back(std::move(text));
  };
  for (const std::string& path : requested.paths) each_value(source, path, take);
  return out;
}

}  // namespace quarry
