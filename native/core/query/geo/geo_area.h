// Areas that points are in: circles, boxes and polygons. They are compared with the points of
// columns, so that a point that was rounded when it was stored is in the same areas as in
// Elasticsearch.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "columns/column.h"
#include "mapping/values/geo_point.h"
#include "query/geo/geo_request.h"

namespace quarry {

/// The points of a polygon, its edges included.
class GeoPolygon {
 public:
  /// `ring`: at least three corners; the last is joined with the first.
  explicit GeoPolygon(const std::vector<GeoPoint>& ring);
  /// `edges` is increased by the number of edges that are compared.
  bool holds(const GeoPoint& point, uint32_t& edges) const;

 private:
  /// Edges ascend by their lower end and form a binary tree: the root of a range is its middle.
  struct Edge {
    GeoPoint from;
    GeoPoint to;
    double low = 0;
    double high = 0;  // the highest end of the edges in the range
  };
  struct Side {
    bool on_edge = false;
    bool inside = false;  // an odd number of edges is crossed
  };
  double set_highest(size_t begin, size_t end);
  void cross(size_t begin, size_t end, const GeoPoint& point, Side& side, uint32_t& edges) const;

  std::vector<Edge> edges_;
};

class GeoArea {
 public:
  static GeoArea circle(const GeoPoint& center, double meters);
  static GeoArea box(const GeoBox& box);
  static GeoArea polygon(const std::vector<GeoPoint>& ring);

  /// Whether some point of the zone of a column may be in the area.
  bool may_hold(const Column::Zone& zone) const {
    return zone.min <= zone.max && packed_latitude(zone.min) <= high_ &&
           packed_latitude(zone.max) >= low_;
  }
  /// `packed`: a value of a column. `steps` is increased by the steps of StopCheck that it took.
  bool holds(int64_t packed, uint32_t& steps) const {
    const int32_t lat = packed_latitude(packed);
    if (lat < low_ || lat > high_) return false;
    const uint32_t east = static_cast<uint32_t>(packed_longitude(packed)) - west_;
    if (east > width_) return false;
    return kind_ == Kind::kBox || holds_exactly(packed, steps);
  }

 private:
  enum class Kind : uint8_t { kCircle, kBox, kPolygon };
  explicit GeoArea(Kind kind) : kind_(kind) {}
  void set_latitudes(double low, double high);
  /// Longitudes wrap around; `west` and `east` within their range.
  void set_longitudes(double west, double east);
  bool holds_exactly(int64_t packed, uint32_t& steps) const;

  Kind kind_;
  // A box around the area, in encoded degrees: latitudes, and longitudes from `west_` eastward.
  int32_t low_ = INT32_MIN;
  int32_t high_ = INT32_MAX;
  uint32_t west_ = uint32_t{1} << 31;
  uint32_t width_ = UINT32_MAX;
  GeoPoint center_;
  double key_ = 0;  // the largest haversine_key() inside
  std::shared_ptr<const GeoPolygon> polygon_;
};

}  // namespace quarry
