// The values of a geo_point field, checked and counted. Points are kept in `_source` and known to `exists`; queries,
// sorts and aggregations by place are refused by name.
#pragma once

#include <string>

#include "json/value.h"

namespace quarry {

/// What is wrong with `value` as one point or an array of points, empty when nothing is. Forms: [lon, lat], [lon, lat, z],
/// {"lat", "lon"}, {"type": "Point", "coordinates": […]}, "lat,lon", "POINT (lon lat)", a geohash; null is no point.
/// `points`: grows by the points found.
std::string check_geo_points(const JsonValue& value, size_t& points);

}  // namespace quarry
