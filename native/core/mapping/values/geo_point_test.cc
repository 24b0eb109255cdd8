// Points in every format, and invalid ones.
#include "mapping/values/geo_point.h"

#include "testing/test.h"

namespace quarry::geo_point_test {

/// The number of points, or -1 if one is invalid.
int points_in(std::string_view json) {
  size_t points = 0;
  const std::string problem = check_geo_points(*JsonValue::parse(json), points);
  return problem.empty() ? static_cast<int>(points) : -1;
}

TEST(GeoPoint, takes_every_form) {
  for (const char* json :
       {"[20.5, -10]", "[1, 2, 3]", R"({"lat": 1, "lon": 2})", R"({"lat": "1.5", "lon": "-2"})",
        R"("41.12,-71.34")", R"("41.12, -71.34")", R"("drm3btev3e86")", "\"POINT (-71.34 41.12)\"",
        R"({"type": "Point", "coordinates": [1, 2]})", R"({"geohash": "u09"})"}) {
    EXPECT_EQ(points_in(json), 1);
  }
  EXPECT_EQ(points_in("null"), 0);
  EXPECT_EQ(points_in("[]"), 0);
  EXPECT_EQ(points_in(R"([[1, 2], {"lat": 1, "lon": 2}, "1,2"])"), 3);
}

TEST(GeoPoint, refuses_the_rest) {
  for (const char* json :
       {"true", "3", "[1]", "[1, 2, 3, 4]", "[1, 91]", "[181, 1]", R"([1, "x"])", R"("x,1")",
        R"("hello world")", R"("")", R"("POINT 1 2")", "\"POINT (1)\"", R"({"lat": 1})",
        R"({"lat": 1, "lon": 2, "x": 3})", R"({"type": "Line", "coordinates": [1, 2]})", "{}"}) {
    EXPECT_EQ(points_in(json), -1);
  }
}

}  // namespace quarry::geo_point_test
