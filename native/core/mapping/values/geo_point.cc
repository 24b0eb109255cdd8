#include "mapping/values/geo_point.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "json/number.h"

namespace quarry {
namespace {

constexpr double kMostLatitude = 90;
constexpr double kMostLongitude = 180;
constexpr std::string_view kGeohashDigits = "0123456789bcdefghjkmnpqrstuvwxyz";
constexpr int kGeohashBits = 5;
// Degrees of one step of the encoding.
constexpr double kLatitudeStep = kMostLatitude * 2 / 4294967296.0;
constexpr double kLongitudeStep = kMostLongitude * 2 / 4294967296.0;

Status invalid(std::string message) { return {ErrorType::kParse, std::move(message)}; }

/// The upper end of a range has no code of its own and gets the largest one.
int32_t encode(double degrees, double most, double step) {
  if (degrees >= most) return std::numeric_limits<int32_t>::max();
  return static_cast<int32_t>(
      std::max(std::floor(degrees / step), double{std::numeric_limits<int32_t>::min()}));
}

/// The remainder by 360 within -180 (exclusive) to 180.
double centered(double degrees) {
  double rest = std::fmod(degrees, 360);
  if (rest <= 0) rest += 360;
  return rest > kMostLongitude ? rest - 360 : rest;
}

std::string_view trimmed(std::string_view text) {
  const size_t first = text.find_first_not_of(' ');
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(' ') - first + 1);
}

bool is_word(std::string_view text, std::string_view lower_case) {
  return std::equal(text.begin(), text.end(), lower_case.begin(), lower_case.end(),
                    [](char a, char b) { return (a >= 'A' && a <= 'Z' ? a + ' ' : a) == b; });
}

/// A finite number with spaces around it.
std::optional<double> to_number(std::string_view text) {
  const std::optional<double> value = parse_double(trimmed(text));
  return value && std::isfinite(*value) ? value : std::nullopt;
}

Result<GeoPoint> make_point(std::optional<double> lat, std::optional<double> lon) {
  if (!lat || !std::isfinite(*lat)) return invalid("latitude must be a number");
  if (!lon || !std::isfinite(*lon)) return invalid("longitude must be a number");
  return GeoPoint{*lat, *lon};
}

Status check_z(std::optional<double> z, bool ignore_z) {
  if (!z) return invalid("the third coordinate must be a number");
  if (ignore_z) return {};
  return invalid("Exception parsing coordinates: found Z value [" + format_double(*z) +
                 "] but [ignore_z_value] parameter is [false]");
}

Result<GeoPoint> read_geohash(std::string_view hash) {
  if (hash.empty()) return invalid("empty geohash");
  double width = kMostLongitude * 2;
  double height = kMostLatitude * 2;
  GeoPoint corner{-kMostLatitude, -kMostLongitude};
  bool longitude = true;
  for (size_t i = 0; i < hash.size(); i++) {
    const size_t digit = kGeohashDigits.find(hash[i]);
    if (digit == std::string_view::npos) {
      return invalid("unsupported symbol [" + std::string(1, hash[i]) + "] in geohash [" +
                     std::string(hash) + "]");
    }
    if (i >= kLongestGeohash) continue;  // cells get no smaller
    for (int bit = kGeohashBits - 1; bit >= 0; bit--) {
      double& size = longitude ? width : height;
      size /= 2;
      if ((digit >> bit & 1) != 0) (longitude ? corner.lon : corner.lat) += size;
      longitude = !longitude;
    }
  }
  return corner;
}

/// The numbers of a WKT point, separated by spaces.
Result<GeoPoint> read_wkt(std::string_view text, bool ignore_z) {
  const size_t open = text.find('(');
  const bool closed = open != std::string_view::npos && text.ends_with(')');
  // Between POINT and the bracket only spaces are allowed.
  if (!closed || !trimmed(text.substr(5, open - 5)).empty())
    return invalid("expected POINT (lon lat), found [" + std::string(text.substr(0, 50)) + "]");
  std::vector<std::optional<double>> numbers;
  std::string_view rest = trimmed(text.substr(open + 1, text.size() - open - 2));
  while (!rest.empty()) {
    if (numbers.size() == 3) return invalid("expected POINT (lon lat), found more coordinates");
    const size_t end = std::min(rest.find(' '), rest.size());
    numbers.push_back(to_number(rest.substr(0, end)));
    rest = trimmed(rest.substr(end));
  }
  if (numbers.size() < 2) return invalid("expected POINT (lon lat), found fewer coordinates");
  if (numbers.size() == 3) QUARRY_RETURN_IF_ERROR(check_z(numbers[2], ignore_z));
  return make_point(numbers[1], numbers[0]);
}

Result<GeoPoint> read_pair(std::string_view text, size_t comma, bool ignore_z) {
  std::string_view rest = text.substr(comma + 1);
  const size_t second = rest.find(',');
  if (second != std::string_view::npos) {
    if (rest.find(',', second + 1) != std::string_view::npos)
      return invalid("failed to parse [" + std::string(text.substr(0, 50)) +
                     "], expected 2 or 3 coordinates");
    QUARRY_RETURN_IF_ERROR(check_z(to_number(rest.substr(second + 1)), ignore_z));
    rest = rest.substr(0, second);
  }
  return make_point(to_number(text.substr(0, comma)), to_number(rest));
}

Result<GeoPoint> read_array(const std::vector<JsonValue>& items, bool ignore_z) {
  if (items.size() < 2) return invalid("[coordinates] must contain at least two values");
  if (items.size() > 3) return invalid("[geo_point] field type does not accept > 3 dimensions");
  if (items.size() == 3) QUARRY_RETURN_IF_ERROR(check_z(items[2].as_double(), ignore_z));
  return make_point(items[1].as_double(), items[0].as_double());
}

Result<GeoPoint> read_geojson(const JsonValue* type, const JsonValue* coordinates, bool ignore_z) {
  if (type == nullptr) return invalid("Required [type]");
  if (coordinates == nullptr) return invalid("Required [coordinates]");
  if (!is_word(type->text(), "point")) return invalid("[type] for geo_point can only be 'Point'");
  if (!coordinates->is_array()) return invalid("[coordinates] must be an array");
  return read_array(coordinates->items(), ignore_z);
}

Result<GeoPoint> read_point_object(const JsonValue& value, bool ignore_z) {
  constexpr std::string_view kKnown[] = {"lon", "lat", "z", "type", "coordinates", "geohash"};
  for (const auto& [key, unused] : value.members()) {
    if (std::find(std::begin(kKnown), std::end(kKnown), key) == std::end(kKnown)) {
      return invalid("field [" + key +
                     "] not supported - must be one of: lon, lat, z, type, coordinates, geohash");
    }
  }
  const JsonValue* const lat = value.find("lat");
  const JsonValue* const lon = value.find("lon");
  const JsonValue* const type = value.find("type");
  const JsonValue* const coordinates = value.find("coordinates");
  const JsonValue* const hash = value.find("geohash");
  const int forms = (lat != nullptr || lon != nullptr ? 1 : 0) +
                    (type != nullptr || coordinates != nullptr ? 1 : 0) + (hash != nullptr ? 1 : 0);
  if (forms != 1)
    return invalid("field must be either lat/lon, geohash string or type/coordinates");
  if (hash != nullptr) {
    if (!hash->is_string()) return invalid("[geohash] must be a string");
    return read_geohash(hash->text());
  }
  if (lat == nullptr && lon == nullptr) return read_geojson(type, coordinates, ignore_z);
  if (lat == nullptr) return invalid("Required [lat]");
  if (lon == nullptr) return invalid("Required [lon]");
  if (const JsonValue* z = value.find("z"))
    QUARRY_RETURN_IF_ERROR(check_z(z->as_double(), ignore_z));
  return make_point(lat->as_double(), lon->as_double());
}

}  // namespace

int32_t encode_latitude(double lat) { return encode(lat, kMostLatitude, kLatitudeStep); }
int32_t encode_longitude(double lon) { return encode(lon, kMostLongitude, kLongitudeStep); }
double decode_latitude(int32_t encoded) { return encoded * kLatitudeStep; }
double decode_longitude(int32_t encoded) { return encoded * kLongitudeStep; }

GeoPoint normalized(GeoPoint point) {
  const bool beyond_pole = std::fabs(point.lat) > kMostLatitude;
  if (beyond_pole) {
    point.lat = centered(point.lat);
    if (std::fabs(point.lat) > kMostLatitude) {
      point.lat = (point.lat < 0 ? -kMostLongitude : kMostLongitude) - point.lat;
      point.lon += kMostLongitude;
    }
  }
  if (beyond_pole || std::fabs(point.lon) > kMostLongitude) point.lon = centered(point.lon);
  return point;
}

std::string check_coordinates(const GeoPoint& point) {
  if (!(std::fabs(point.lat) <= kMostLatitude))
    return "illegal latitude value [" + format_double(point.lat) + "]";
  if (!(std::fabs(point.lon) <= kMostLongitude))
    return "illegal longitude value [" + format_double(point.lon) + "]";
  return {};
}

bool is_coordinate_array(const JsonValue& value) {
  return value.is_array() && !value.items().empty() &&
         value.items().front().kind() == JsonValue::Kind::kNumber;
}

Result<GeoPoint> read_point_text(std::string_view text, bool ignore_z) {
  const std::string_view inner = trimmed(text);
  if (inner.size() > 5 && is_word(inner.substr(0, 5), "point")) return read_wkt(inner, ignore_z);
  const size_t comma = inner.find(',');
  if (comma != std::string_view::npos) return read_pair(inner, comma, ignore_z);
  return read_geohash(text);
}

Result<GeoPoint> read_point(const JsonValue& value, bool ignore_z) {
  switch (value.kind()) {
    case JsonValue::Kind::kString:
      return read_point_text(value.text(), ignore_z);
    case JsonValue::Kind::kObject:
      return read_point_object(value, ignore_z);
    case JsonValue::Kind::kArray:
      if (is_coordinate_array(value)) return read_array(value.items(), ignore_z);
      break;
    default:
      break;
  }
  return invalid("geo_point expected");
}

std::string geohash_of(const GeoPoint& point, size_t length) {
  // The encoded coordinates hold the bits of a geohash, apart from their sign.
  constexpr uint32_t kSign = uint32_t{1} << 31;
  uint32_t lat = static_cast<uint32_t>(encode_latitude(point.lat)) ^ kSign;
  uint32_t lon = static_cast<uint32_t>(encode_longitude(point.lon)) ^ kSign;
  std::string out;
  bool longitude = true;
  while (out.size() < std::min(length, kLongestGeohash)) {
    size_t digit = 0;
    for (int bit = 0; bit < kGeohashBits; bit++) {
      uint32_t& from = longitude ? lon : lat;
      digit = digit << 1 | from >> 31;
      from <<= 1;
      longitude = !longitude;
    }
    out += kGeohashDigits[digit];
  }
  return out;
}

std::string point_to_geojson(const GeoPoint& point) {
  return R"({"coordinates":[)" + format_double(point.lon) + "," + format_double(point.lat) +
         R"(],"type":"Point"})";
}

std::string point_to_wkt(const GeoPoint& point) {
  return "POINT (" + format_double(point.lon) + " " + format_double(point.lat) + ")";
}

std::string point_to_text(const GeoPoint& point) {
  return format_double(point.lat) + ", " + format_double(point.lon);
}

}  // namespace quarry
