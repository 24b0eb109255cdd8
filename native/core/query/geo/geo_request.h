// Points, boxes and polygons of requests, which plans hold as the JSON of the request.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "mapping/values/geo_point.h"

namespace quarry {

/// What is done about coordinates beyond their ranges (`validation_method`).
enum class Validation : uint8_t { kStrict, kIgnoreMalformed, kCoerce };

/// Edges of a box in degrees; left > right: it crosses the date line.
struct GeoBox {
  double top = 0;
  double left = 0;
  double bottom = 0;
  double right = 0;
};

/// `what` names the point in errors.
Result<GeoPoint> read_request_point(std::string_view json, Validation validation,
                                    std::string_view what);
/// The origin of a decay or a distance_feature: the text of the request, or its JSON where it is an
/// object or an array.
Result<GeoPoint> read_origin_point(std::string_view text, std::string_view what);
/// One point or an array of points, of which there are at least one and at most `most`.
Result<std::vector<GeoPoint>> read_request_points(std::string_view json, Validation validation,
                                                  std::string_view what, size_t most);
/// An object with two opposite corners, four edges, or `wkt` with an ENVELOPE or BBOX.
Result<GeoBox> read_request_box(std::string_view json, Validation validation,
                                std::string_view what);

}  // namespace quarry
