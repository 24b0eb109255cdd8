// Validates and counts the values of geo_point fields. Points are kept in `_source` and visible to
// `exists`; queries, sorts and aggregations by place are refused by name.
#pragma once

#include <string>

#include "json/value.h"

namespace quarry {

/// Checks `value`, which is one point or an array of points, and returns the error message, empty
/// when it is valid. Forms: [lon, lat], [lon, lat, z], {"lat", "lon"}, {"type": "Point",
/// "coordinates": […]}, "lat,lon", "POINT (lon lat)", a geohash; null is not a point. `points` is
/// increased by the number of points found.
std::string check_geo_points(const JsonValue& value, size_t& points);

}  // namespace quarry
