#include "query/geo/geo_request.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>

#include "json/number.h"
#include "json/value.h"

namespace quarry {
namespace {

constexpr double kHalfTurn = 180;

Status bad_request(std::string_view what, const std::string& why) {
  return {ErrorType::kParse, "failed to parse " + std::string(what) + ": " + why};
}

/// Longitudes wrap around unless the validation is strict; latitudes only if it coerces.
Result<GeoPoint> validated(GeoPoint point, Validation validation, std::string_view what) {
  const bool wraps = validation == Validation::kIgnoreMalformed && std::fabs(point.lat) <= 90;
  if (validation == Validation::kCoerce || wraps) point = normalized(point);
  const std::string problem = check_coordinates(point);
  if (problem.empty()) return point;
  return Status(ErrorType::kQueryShard, "couldn't validate latitude/ longitude values: " +
                                            std::string(what) + ": " + problem +
                                            ", give coordinates within their ranges or set "
                                            "[validation_method] to [coerce]");
}

/// A corner as a geohash is that of its cell: `right` and `top` say which.
Result<GeoPoint> read_corner(const JsonValue& value, bool right, bool top) {
  Result<GeoPoint> point = read_point(value, true);
  const bool hash = value.is_string() && value.text().find(',') == std::string_view::npos &&
                    value.text().find('(') == std::string_view::npos;
  if (!point.ok() || !hash) return point;
  const size_t bits = 5 * std::min(value.text().size(), kLongestGeohash);
  if (right) point->lon += std::ldexp(2 * kHalfTurn, -static_cast<int>((bits + 1) / 2));
  if (top) point->lat += std::ldexp(kHalfTurn, -static_cast<int>(bits / 2));
  return point;
}

/// "BBOX (left, right, top, bottom)", which is also called ENVELOPE.
Result<GeoBox> read_envelope(std::string_view text) {
  const size_t open = text.find('(');
  std::string name(text.substr(0, std::min(open, text.size())));
  name.erase(std::remove(name.begin(), name.end(), ' '), name.end());
  std::transform(name.begin(), name.end(), name.begin(),
                 [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - ' ') : c; });
  const bool known = name == "BBOX" || name == "ENVELOPE";
  std::vector<double> numbers;
  if (known && text.ends_with(')')) {
    std::string_view rest = text.substr(open + 1, text.size() - open - 2);
    while (numbers.size() <= 4) {
      const size_t end = std::min(rest.find(','), rest.size());
      std::string_view one = rest.substr(0, end);
      while (one.starts_with(' ')) one.remove_prefix(1);
      while (one.ends_with(' ')) one.remove_suffix(1);
      const std::optional<double> number = parse_double(one);
      if (!number || !std::isfinite(*number)) break;
      numbers.push_back(*number);
      if (end == rest.size()) break;
      rest.remove_prefix(end + 1);
    }
  }
  if (numbers.size() != 4)
    return Status(ErrorType::kParse, "[wkt] must be BBOX (left, right, top, bottom)");
  return GeoBox{numbers[2], numbers[0], numbers[3], numbers[1]};
}

Result<double> read_edge(const JsonValue& object, const char* name) {
  const JsonValue* const value = object.find(name);
  if (value == nullptr) {
    return Status(ErrorType::kParse, "the edge [" + std::string(name) +
                                         "] is missing, give two opposite corners or all edges");
  }
  const std::optional<double> number = value->as_double();
  if (number && std::isfinite(*number)) return *number;
  return Status(ErrorType::kParse, "the edge [" + std::string(name) + "] must be a number");
}

Result<GeoBox> read_box(const JsonValue& object) {
  constexpr std::string_view kKnown[] = {"top_left",    "bottom_right", "top_right",
                                         "bottom_left", "top",          "left",
                                         "bottom",      "right",        "wkt"};
  if (!object.is_object())
    return Status(ErrorType::kParse, "it must be an object with corners, edges or [wkt]");
  for (const auto& [key, unused] : object.members()) {
    if (std::find(std::begin(kKnown), std::end(kKnown), key) == std::end(kKnown))
      return Status(ErrorType::kParse, "unexpected key [" + key + "]");
  }
  if (const JsonValue* wkt = object.find("wkt")) {
    if (object.members().size() > 1)
      return Status(ErrorType::kParse,
                    "Conflicting definition found using well-known text and "
                    "explicit corners.");
    return read_envelope(wkt->text());
  }
  const auto corners = [&](const char* top_name, const char* bottom_name,
                           bool right) -> Result<GeoBox> {
    QUARRY_ASSIGN_OR_RETURN(const GeoPoint top, read_corner(*object.find(top_name), right, true));
    QUARRY_ASSIGN_OR_RETURN(const GeoPoint bottom,
                            read_corner(*object.find(bottom_name), !right, false));
    return right ? GeoBox{top.lat, bottom.lon, bottom.lat, top.lon}
                 : GeoBox{top.lat, top.lon, bottom.lat, bottom.lon};
  };
  if (object.find("top_left") != nullptr && object.find("bottom_right") != nullptr)
    return corners("top_left", "bottom_right", false);
  if (object.find("top_right") != nullptr && object.find("bottom_left") != nullptr)
    return corners("top_right", "bottom_left", true);
  GeoBox box;
  QUARRY_ASSIGN_OR_RETURN(box.top, read_edge(object, "top"));
  QUARRY_ASSIGN_OR_RETURN(box.left, read_edge(object, "left"));
  QUARRY_ASSIGN_OR_RETURN(box.bottom, read_edge(object, "bottom"));
  QUARRY_ASSIGN_OR_RETURN(box.right, read_edge(object, "right"));
  return box;
}

}  // namespace

Result<GeoPoint> read_request_point(std::string_view json, Validation validation,
                                    std::string_view what) {
  QUARRY_ASSIGN_OR_RETURN(const JsonValue value, JsonValue::parse(json));
  const Result<GeoPoint> point = read_point(value, true);
  if (!point.ok()) return bad_request(what, point.status().reason());
  return validated(*point, validation, what);
}

Result<GeoPoint> read_origin_point(std::string_view text, std::string_view what) {
  if (text.starts_with('{') || text.starts_with('['))
    return read_request_point(text, Validation::kStrict, what);
  const Result<GeoPoint> point = read_point_text(text, true);
  if (!point.ok()) return bad_request(what, point.status().reason());
  return validated(*point, Validation::kStrict, what);
}

Result<std::vector<GeoPoint>> read_request_points(std::string_view json, Validation validation,
                                                  std::string_view what, size_t most) {
  QUARRY_ASSIGN_OR_RETURN(const JsonValue value, JsonValue::parse(json));
  const bool list = value.is_array() && !is_coordinate_array(value);
  const size_t count = list ? value.items().size() : 1;
  if (count == 0) return bad_request(what, "it has no points, give at least one");
  if (count > most) {
    return bad_request(what, "it has [" + std::to_string(count) + "] points, more than [" +
                                 std::to_string(most) + "], give fewer");
  }
  std::vector<GeoPoint> points;
  for (size_t i = 0; i < count; i++) {
    const Result<GeoPoint> point = read_point(list ? value.items()[i] : value, true);
    if (!point.ok()) return bad_request(what, point.status().reason());
    QUARRY_ASSIGN_OR_RETURN(const GeoPoint valid, validated(*point, validation, what));
    points.push_back(valid);
  }
  return points;
}

Result<GeoBox> read_request_box(std::string_view json, Validation validation,
                                std::string_view what) {
  QUARRY_ASSIGN_OR_RETURN(const JsonValue value, JsonValue::parse(json));
  Result<GeoBox> box = read_box(value);
  if (!box.ok()) return bad_request(what, box.status().reason());
  if (box->top < box->bottom) {
    return bad_request(what, "top is below bottom corner: " + format_double(box->top) + " vs. " +
                                 format_double(box->bottom));
  }
  // Whole turns are all longitudes, and would else be none.
  const bool whole = validation == Validation::kCoerce && box->right > box->left &&
                     std::fmod(box->right - box->left, 2 * kHalfTurn) == 0;
  if (whole) {
    box->left = -kHalfTurn;
    box->right = kHalfTurn;
  }
  QUARRY_ASSIGN_OR_RETURN(const GeoPoint first, validated({box->top, box->left}, validation, what));
  QUARRY_ASSIGN_OR_RETURN(const GeoPoint last,
                          validated({box->bottom, box->right}, validation, what));
  return GeoBox{first.lat, first.lon, last.lat, last.lon};
}

}  // namespace quarry
