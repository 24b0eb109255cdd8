// Points of geo_point fields: their forms in documents, and their encoding in columns.
//
// A column holds a point as int64: the encoded latitude in the upper 32 bits, the encoded longitude
// in the lower ones, both as Lucene's GeoEncodingUtils encodes them, so that distances and cells of
// decoded points are those of Elasticsearch. The values of a zone are thus ordered by latitude.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "json/value.h"

namespace quarry {

/// In degrees.
struct GeoPoint {
  double lat = 0;
  double lon = 0;
};

/// `lat` within -90 to 90, `lon` within -180 to 180; the result is the largest encoded coordinate
/// that is not above the given one.
int32_t encode_latitude(double lat);
int32_t encode_longitude(double lon);
double decode_latitude(int32_t encoded);
double decode_longitude(int32_t encoded);

inline int64_t pack_point(int32_t lat, int32_t lon) {
  return static_cast<int64_t>(uint64_t{static_cast<uint32_t>(lat)} << 32 |
                              static_cast<uint32_t>(lon));
}
inline int32_t packed_latitude(int64_t packed) { return static_cast<int32_t>(packed >> 32); }
inline int32_t packed_longitude(int64_t packed) { return static_cast<int32_t>(packed); }

inline int64_t encode_point(const GeoPoint& point) {
  return pack_point(encode_latitude(point.lat), encode_longitude(point.lon));
}
inline GeoPoint decode_point(int64_t packed) {
  return {decode_latitude(packed_latitude(packed)), decode_longitude(packed_longitude(packed))};
}

/// Elasticsearch's normalization of coordinates beyond their ranges: the longitude wraps around,
/// the latitude is reflected at the poles. Both must be finite.
GeoPoint normalized(GeoPoint point);
/// The error message for coordinates beyond their ranges; empty when both are valid.
std::string check_coordinates(const GeoPoint& point);

/// Whether an array is one point, and not a list of points: its first item is a number.
bool is_coordinate_array(const JsonValue& value);
/// Reads one point. Forms: [lon, lat], {"lat", "lon"}, {"type": "Point", "coordinates": […]},
/// {"geohash"}, and those of read_point_text(). A third coordinate is an error unless `ignore_z`.
/// The coordinates are finite, but may be beyond their ranges.
Result<GeoPoint> read_point(const JsonValue& value, bool ignore_z);
/// "lat,lon", "POINT (lon lat)", or a geohash, which stands for the south-western corner of its
/// cell.
Result<GeoPoint> read_point_text(std::string_view text, bool ignore_z);

/// Characters of a geohash.
inline constexpr size_t kLongestGeohash = 12;
/// The first `length` (1 to 12) characters of the geohash of a point.
std::string geohash_of(const GeoPoint& point, size_t length);

/// Forms of a point in responses.
std::string point_to_geojson(const GeoPoint& point);
std::string point_to_wkt(const GeoPoint& point);
/// "lat, lon", as Elasticsearch prints doc values.
std::string point_to_text(const GeoPoint& point);

}  // namespace quarry
