// Distances on the earth's surface, as Elasticsearch computes them, and their units.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/status.h"
#include "mapping/values/geo_point.h"

namespace quarry {

/// The earth's mean radius in meters.
inline constexpr double kEarthRadius = 6371008.7714;

/// Grows with the great-circle distance of two points and costs less: the haversine formula
/// without its arc sine, 0 to 2. Equal bits to Lucene's SloppyMath.haversinSortKey.
double haversine_key(const GeoPoint& a, const GeoPoint& b);
/// The distance in meters of a haversine_key().
double key_to_meters(double key);
/// The largest key whose distance is at most `meters`.
double meters_to_key(double meters);

enum class DistanceType : uint8_t { kArc, kPlane };
/// In meters. kPlane is faster and wrong near the poles, across the date line and over long
/// distances.
double distance_between(DistanceType type, const GeoPoint& a, const GeoPoint& b);

/// Meters of one unit ("km", "miles", …); illegal_argument_exception for other names.
Result<double> meters_of_unit(std::string_view unit);
/// Reads "12km", or a number of units that are `unit_meters` long, as meters.
Result<double> read_distance(std::string_view text, double unit_meters, std::string_view what);

}  // namespace quarry
