// Areas compared with their definitions, by random points and at their edges.
#include "query/geo/geo_area.h"

#include <algorithm>
#include <cmath>

#include "base/random.h"
#include "query/geo/geo_distance.h"
#include "testing/test.h"

namespace quarry::geo_area_test {

bool holds(const GeoArea& area, double lat, double lon) {
  uint32_t steps = 0;
  return area.holds(encode_point({lat, lon}), steps);
}

int64_t random_point(Random& random) {
  // Some at the poles and at the date line.
  const uint64_t where = random.below(10);
  if (where == 0) return encode_point({90, static_cast<double>(random.below(360)) - 180});
  if (where == 1) return encode_point({static_cast<double>(random.below(180)) - 90, 180});
  if (where == 2) return encode_point({static_cast<double>(random.below(180)) - 90, -180});
  return static_cast<int64_t>(random.next());
}

TEST(GeoArea, a_circle_holds_what_is_near_enough) {
  Random random(21);
  int inside = 0;
  for (int round = 0; round < 300; round++) {
    const GeoPoint center = decode_point(random_point(random));
    const double meters = std::pow(10, 2 + static_cast<double>(random.below(550)) / 100);
    const GeoArea area = GeoArea::circle(center, meters);
    for (int i = 0; i < 300; i++) {
      int64_t packed = random_point(random);
      if (i % 2 == 0) {  // near the edge
        const double turn = static_cast<double>(random.below(628)) / 100;
        const double radius = meters / 111000 * (0.9 + static_cast<double>(random.below(20)) / 100);
        GeoPoint near{center.lat + radius * std::sin(turn), center.lon + radius * std::cos(turn)};
        packed = encode_point(normalized(near));
      }
      const GeoPoint point = decode_point(packed);
      const bool expected = distance_between(DistanceType::kArc, point, center) <= meters;
      uint32_t steps = 0;
      EXPECT_EQ(area.holds(packed, steps), expected);
      EXPECT_TRUE(!expected || area.may_hold({packed, packed}));
      inside += expected ? 1 : 0;
    }
  }
  EXPECT_TRUE(inside > 5000);
}

TEST(GeoArea, a_circle_reaches_over_the_date_line_and_the_poles) {
  EXPECT_TRUE(holds(GeoArea::circle({0, 179.9}, 50000), 0, -179.9));
  EXPECT_FALSE(holds(GeoArea::circle({0, 179.9}, 5000), 0, -179.9));
  EXPECT_TRUE(holds(GeoArea::circle({89.9, 0}, 50000), 89.9, 180));
  EXPECT_TRUE(holds(GeoArea::circle({-90, 12}, 1000), -90, -100));
  EXPECT_TRUE(holds(GeoArea::circle({10, 10}, 3e7), -10, -170));
}

TEST(GeoArea, a_box_includes_its_edges) {
  const GeoArea area = GeoArea::box({2, 1, -2, 3});
  for (const double lat : {-2.0, 0.0, 2.0}) {
    for (const double lon : {1.0, 2.0, 3.0}) EXPECT_TRUE(holds(area, lat, lon));
  }
  EXPECT_FALSE(holds(area, 2.001, 2));
  EXPECT_FALSE(holds(area, 0, 0.999));
  EXPECT_FALSE(holds(area, 0, 3.001));
}

TEST(GeoArea, a_box_may_cross_the_date_line) {
  const GeoArea area = GeoArea::box({10, 170, -10, -170});
  EXPECT_TRUE(holds(area, 0, 175));
  EXPECT_TRUE(holds(area, 0, 180));
  EXPECT_TRUE(holds(area, 0, -180));
  EXPECT_TRUE(holds(area, 0, -170));
  EXPECT_FALSE(holds(area, 0, 0));
  EXPECT_FALSE(holds(area, 0, -169));
  const GeoArea whole = GeoArea::box({90, -180, -90, 180});
  for (const double lon : {-180.0, 0.0, 180.0}) EXPECT_TRUE(holds(whole, 90, lon));
}

/// Whether an odd number of edges is north of the point; points are not on edges.
bool is_inside(const std::vector<GeoPoint>& ring, const GeoPoint& point) {
  bool inside = false;
  for (size_t i = 0; i < ring.size(); i++) {
    const GeoPoint& a = ring[i];
    const GeoPoint& b = ring[(i + 1) % ring.size()];
    if ((a.lon > point.lon) == (b.lon > point.lon)) continue;
    const double lat = a.lat + (b.lat - a.lat) * (point.lon - a.lon) / (b.lon - a.lon);
    if (lat > point.lat) inside = !inside;
  }
  return inside;
}

TEST(GeoArea, a_polygon_holds_what_is_inside) {
  Random random(8);
  int inside = 0;
  for (int round = 0; round < 200; round++) {
    std::vector<GeoPoint> ring;
    for (uint64_t left = 3 + random.below(40); left > 0; left--) {
      ring.push_back({static_cast<double>(random.below(1000)) / 10 - 50,
                      static_cast<double>(random.below(2000)) / 10 - 100});
    }
    const GeoArea area = GeoArea::polygon(ring);
    for (int i = 0; i < 200; i++) {
      const GeoPoint point{static_cast<double>(random.below(1000000)) / 10000 - 50 + 1e-7,
                           static_cast<double>(random.below(2000000)) / 10000 - 100 + 1e-7};
      const int64_t packed = encode_point(point);
      const bool expected = is_inside(ring, decode_point(packed));
      uint32_t steps = 0;
      EXPECT_EQ(area.holds(packed, steps), expected);
      inside += expected ? 1 : 0;
    }
  }
  EXPECT_TRUE(inside > 2000);
}

TEST(GeoArea, a_polygon_includes_its_edges_and_corners) {
  const GeoArea area = GeoArea::polygon({{0, 0}, {0, 45}, {45, 45}, {45, 0}});
  EXPECT_TRUE(holds(area, 0, 0));
  EXPECT_TRUE(holds(area, 45, 45));
  EXPECT_TRUE(holds(area, 22.5, 0));
  EXPECT_TRUE(holds(area, 45, 22.5));
  EXPECT_FALSE(holds(area, -0.001, 10));
}

TEST(GeoArea, a_polygon_counts_its_work) {
  std::vector<GeoPoint> ring;
  for (int i = 0; i < 5000; i++) ring.push_back({i % 2 == 0 ? -80.0 : 80.0, i * 0.01 - 25});
  const GeoArea area = GeoArea::polygon(ring);
  uint32_t steps = 0;
  area.holds(encode_point({0.1, 20}), steps);
  EXPECT_TRUE(steps > 4000);
}

}  // namespace quarry::geo_area_test
