#include "mapping/values/geo_point.h"

#include <algorithm>
#include <optional>
#include <string_view>

namespace quarry {
namespace {

constexpr double kMostLatitude = 90;
constexpr double kMostLongitude = 180;
constexpr size_t kLongestGeohash = 12;
constexpr std::string_view kGeohashDigits = "0123456789bcdefghjkmnpqrstuvwxyz";

/// Returns the error message for a place; empty when both coordinates are numbers within their
/// ranges.
std::string check_place(const std::optional<double>& lat, const std::optional<double>& lon) {
  if (!lat || !lon) return "latitude and longitude must be numbers";
  if (!(*lat >= -kMostLatitude && *lat <= kMostLatitude)) {
    return "illegal latitude value [" + std::to_string(*lat) + "]";
  }
  if (!(*lon >= -kMostLongitude && *lon <= kMostLongitude)) {
    return "illegal longitude value [" + std::to_string(*lon) + "]";
  }
  return {};
}

std::optional<double> to_number(std::string_view text) {
  const size_t first = text.find_first_not_of(' ');
  const size_t last = text.find_last_not_of(' ');
  if (first == std::string_view::npos) return std::nullopt;
  return JsonValue::string(std::string(text.substr(first, last - first + 1))).as_double();
}

std::string check_text(std::string_view text) {
  constexpr std::string_view kPoint = "POINT";
  if (text.starts_with(kPoint)) {
    const size_t open = text.find('(');
    if (open == std::string_view::npos || !text.ends_with(')')) return "expected POINT (lon lat)";
    const std::string_view inner = text.substr(open + 1, text.size() - open - 2);
    const size_t middle = inner.find(' ', inner.find_first_not_of(' '));
    if (middle == std::string_view::npos) return "expected POINT (lon lat)";
    return check_place(to_number(inner.substr(middle)), to_number(inner.substr(0, middle)));
  }
  const size_t comma = text.find(',');
  if (comma != std::string_view::npos) {
    return check_place(to_number(text.substr(0, comma)), to_number(text.substr(comma + 1)));
  }
  const bool geohash = !text.empty() && text.size() <= kLongestGeohash &&
                       text.find_first_not_of(kGeohashDigits) == std::string_view::npos;
  return geohash ? std::string() : "unsupported symbol in geohash [" + std::string(text) + "]";
}

std::string check_coordinates(const JsonValue& value) {
  const std::vector<JsonValue>& items = value.items();
  if (items.size() < 2 || items.size() > 3) return "expected an array of longitude and latitude";
  return check_place(items[1].as_double(), items[0].as_double());
}

std::string check_object(const JsonValue& value) {
  if (const JsonValue* coordinates = value.find("coordinates")) {
    const JsonValue* type = value.find("type");
    const std::string_view name = type == nullptr ? std::string_view() : type->text();
    if (name != "Point" && name != "point") return "[type] for geo_point can only be 'point'";
    return coordinates->is_array() ? check_coordinates(*coordinates)
                                   : "[coordinates] must be an array";
  }
  if (const JsonValue* hash = value.find("geohash")) return check_text(hash->text());
  for (const auto& [key, unused] : value.members()) {
    if (key != "lat" && key != "lon") return "field must be either lat/lon or type/coordinates";
  }
  const JsonValue* lat = value.find("lat");
  const JsonValue* lon = value.find("lon");
  if (lat == nullptr || lon == nullptr) return "field [lat] or [lon] missing";
  return check_place(lat->as_double(), lon->as_double());
}

}  // namespace

std::string check_geo_points(const JsonValue& value, size_t& points) {
  switch (value.kind()) {
    case JsonValue::Kind::kNull:
      return {};
    case JsonValue::Kind::kString:
      points++;
      return check_text(value.text());
    case JsonValue::Kind::kObject:
      points++;
      return check_object(value);
    case JsonValue::Kind::kArray:
      break;
    default:
      return "geo_point expected";
  }
  const std::vector<JsonValue>& items = value.items();
  if (!items.empty() && items.front().kind() == JsonValue::Kind::kNumber) {
    points++;
    return check_coordinates(value);
  }
  for (const JsonValue& item : items) {
    std::string problem = check_geo_points(item, points);
    if (!problem.empty()) return problem;
  }
  return {};
}

}  // namespace quarry
