#include "query/geo/geo_area.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "query/geo/geo_distance.h"

namespace quarry {
namespace {

constexpr double kDegrees = 180 / std::numbers::pi;
// Degrees by which the box around a circle is larger, for the errors of its computation.
constexpr double kMargin = 1e-5;
constexpr uint32_t kStepsPerDistance = 16;  // as long as comparing some numbers

/// On which side of the line through two points a third one is; 0 on the line.
double side_of(const GeoPoint& from, const GeoPoint& to, const GeoPoint& point) {
  return (to.lon - from.lon) * (point.lat - from.lat) -
         (point.lon - from.lon) * (to.lat - from.lat);
}

bool between(double value, double a, double b) {
  return value >= std::min(a, b) && value <= std::max(a, b);
}

}  // namespace

GeoPolygon::GeoPolygon(const std::vector<GeoPoint>& ring) {
  for (size_t i = 0; i < ring.size(); i++) {
    const GeoPoint& to = ring[(i + 1) % ring.size()];
    edges_.push_back({ring[i], to, std::min(ring[i].lat, to.lat), std::max(ring[i].lat, to.lat)});
  }
  std::sort(edges_.begin(), edges_.end(),
            [](const Edge& a, const Edge& b) { return a.low < b.low; });
  set_highest(0, edges_.size());
}

double GeoPolygon::set_highest(size_t begin, size_t end) {
  if (begin == end) return -HUGE_VAL;
  const size_t middle = begin + (end - begin) / 2;
  const double below = std::max(set_highest(begin, middle), set_highest(middle + 1, end));
  edges_[middle].high = std::max(edges_[middle].high, below);
  return edges_[middle].high;
}

void GeoPolygon::cross(size_t begin, size_t end, const GeoPoint& point, Side& side,
                       uint32_t& edges) const {
  if (begin == end || side.on_edge) return;
  const size_t middle = begin + (end - begin) / 2;
  const Edge& edge = edges_[middle];
  if (point.lat > edge.high) return;
  edges++;
  cross(begin, middle, point, side, edges);
  if (point.lat < edge.low || side.on_edge) return;
  const GeoPoint& from = edge.from;
  const GeoPoint& to = edge.to;
  if (between(point.lat, from.lat, to.lat)) {
    if (between(point.lon, from.lon, to.lon) && side_of(from, to, point) == 0) {
      side.on_edge = true;
      return;
    }
    if ((from.lat > point.lat) != (to.lat > point.lat) &&
        point.lon < (to.lon - from.lon) * (point.lat - from.lat) / (to.lat - from.lat) + from.lon) {
      side.inside = !side.inside;
    }
  }
  cross(middle + 1, end, point, side, edges);
}

bool GeoPolygon::holds(const GeoPoint& point, uint32_t& edges) const {
  Side side;
  cross(0, edges_.size(), point, side, edges);
  return side.on_edge || side.inside;
}

void GeoArea::set_latitudes(double low, double high) {
  low_ = encode_latitude(std::max(low, -90.0));
  high_ = encode_latitude(std::min(high, 90.0));
}

void GeoArea::set_longitudes(double west, double east) {
  west_ = static_cast<uint32_t>(encode_longitude(west));
  width_ = static_cast<uint32_t>(encode_longitude(east)) - west_;
}

GeoArea GeoArea::circle(const GeoPoint& center, double meters) {
  GeoArea area(Kind::kCircle);
  area.center_ = decode_point(encode_point(center));
  area.key_ = meters_to_key(meters);
  const double radius = std::min(meters / kEarthRadius, std::numbers::pi);
  const double height = radius * kDegrees + kMargin;
  area.set_latitudes(area.center_.lat - height, area.center_.lat + height);
  // Around a pole a circle has all longitudes.
  if (std::fabs(area.center_.lat) + height >= 90) return area;
  const double share = std::sin(radius) / std::cos(area.center_.lat / kDegrees);
  const double width = std::asin(std::min(share, 1.0)) * kDegrees + kMargin;
  if (width >= 90) return area;  // the error of the arc sine is largest there
  const auto wrapped = [](double lon) {
    return lon > 180 ? lon - 360 : lon < -180 ? lon + 360 : lon;
  };
  area.set_longitudes(wrapped(area.center_.lon - width), wrapped(area.center_.lon + width));
  return area;
}

GeoArea GeoArea::box(const GeoBox& box) {
  GeoArea area(Kind::kBox);
  area.set_latitudes(box.bottom, box.top);
  area.set_longitudes(box.left, box.right);
  return area;
}

GeoArea GeoArea::polygon(const std::vector<GeoPoint>& ring) {
  GeoArea area(Kind::kPolygon);
  area.polygon_ = std::make_shared<GeoPolygon>(ring);
  const auto lower = [](const GeoPoint& a, const GeoPoint& b) { return a.lat < b.lat; };
  const auto [lowest, highest] = std::minmax_element(ring.begin(), ring.end(), lower);
  const auto further_west = [](const GeoPoint& a, const GeoPoint& b) { return a.lon < b.lon; };
  const auto [west, east] = std::minmax_element(ring.begin(), ring.end(), further_west);
  area.set_latitudes(lowest->lat, highest->lat);
  area.set_longitudes(west->lon, east->lon);
  return area;
}

bool GeoArea::holds_exactly(int64_t packed, uint32_t& steps) const {
  const GeoPoint point = decode_point(packed);
  if (kind_ == Kind::kPolygon) return polygon_->holds(point, steps);
  steps += kStepsPerDistance;
  return haversine_key(point, center_) <= key_;
}

}  // namespace quarry
