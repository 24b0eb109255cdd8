// Distances compared with those of Elasticsearch 8.19 and with the haversine formula in long
// double, and units.
#include "query/geo/geo_distance.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/random.h"
#include "testing/test.h"

namespace quarry::geo_distance_test {

GeoPoint stored(double lat, double lon) { return decode_point(encode_point({lat, lon})); }

GeoPoint random_point(Random& random) { return decode_point(static_cast<int64_t>(random.next())); }

double exact_meters(const GeoPoint& a, const GeoPoint& b) {
  constexpr long double kRadians = std::numbers::pi_v<long double> / 180;
  const auto half_sine = [](long double degrees) { return std::sin(degrees * kRadians / 2); };
  const long double lat = half_sine(b.lat - static_cast<long double>(a.lat));
  const long double lon = half_sine(b.lon - static_cast<long double>(a.lon));
  const long double h =
      lat * lat + std::cos(a.lat * kRadians) * std::cos(b.lat * kRadians) * lon * lon;
  return static_cast<double>(2 * kEarthRadius * std::asin(std::min(1.0L, std::sqrt(h))));
}

TEST(GeoDistance, equals_elasticsearch) {
  // The sort values of Elasticsearch 8.19 for documents at these places.
  const auto check = [](DistanceType type, const GeoPoint& to, double expected) {
    EXPECT_NEAR(distance_between(type, {1, 2}, to), expected, 1e-13 * expected);
  };
  check(DistanceType::kArc, stored(1, 2), 0);
  check(DistanceType::kArc, stored(1.5, 2.5), 78617.30944536484);
  check(DistanceType::kArc, stored(10, 10), 1335623.7256830318);
  check(DistanceType::kArc, stored(50, 8), 5478219.760455884);
  check(DistanceType::kArc, stored(-1, 179.5), 19737168.992436055);
  check(DistanceType::kPlane, stored(1.5, 2.5), 78617.43438399021);
  check(DistanceType::kPlane, stored(0, -179.5), 20181444.841798004);
}

TEST(GeoDistance, is_the_haversine_formula) {
  Random random(3);
  for (int i = 0; i < 20000; i++) {
    const GeoPoint a = random_point(random);
    const GeoPoint b = random_point(random);
    const double expected = exact_meters(a, b);
    const double found = distance_between(DistanceType::kArc, a, b);
    EXPECT_NEAR(found, expected, 1e-9 * expected + 0.5);
  }
}

TEST(GeoDistance, keys_are_in_the_order_of_distances) {
  Random random(4);
  for (int i = 0; i < 5000; i++) {
    const double meters = static_cast<double>(random.below(20'000'000'000)) / 1000;
    const double key = meters_to_key(meters);
    EXPECT_TRUE(key_to_meters(key) <= meters);
    EXPECT_TRUE(key_to_meters(std::nextafter(key, 3)) > meters || key == 2);
  }
  EXPECT_EQ(meters_to_key(3e7), 2.0);
}

TEST(GeoDistance, reads_units) {
  const auto meters = [](std::string_view text) {
    const Result<double> read = read_distance(text, 1000, "[d]");
    return read.ok() ? *read : -1;
  };
  EXPECT_EQ(meters("12km"), 12000);
  EXPECT_EQ(meters("12 km"), 12000);
  EXPECT_EQ(meters("12"), 12000);
  EXPECT_EQ(meters("12m"), 12);
  EXPECT_EQ(meters("1.5miles"), 1.5 * 1609.344);
  EXPECT_EQ(meters("2nmi"), 3704);
  EXPECT_EQ(meters("1nauticalmiles"), 1852);
  EXPECT_EQ(meters("3in"), 3 * 0.0254);
  EXPECT_EQ(meters("3mm"), 0.003);
  for (const char* text : {"", "km", "12xx", "x", "12kmm", "infkm", "nan"})
    EXPECT_EQ(meters(text), -1);
  EXPECT_EQ(read_distance("12xx", 1, "[distance]").status().reason(),
            "[distance] [12xx] is not a distance, give a number with a unit such as [12km]");
  EXPECT_EQ(*meters_of_unit("feet"), 0.3048);
  EXPECT_FALSE(meters_of_unit("parsec").ok());
}

}  // namespace quarry::geo_distance_test
