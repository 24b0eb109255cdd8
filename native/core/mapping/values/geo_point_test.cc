// Points in every form, invalid ones, their encoding, and their forms in responses.
#include "mapping/values/geo_point.h"

#include <cmath>

#include "base/random.h"
#include "testing/test.h"

namespace quarry::geo_point_test {

/// "lat, lon", or the reason why there is no point.
std::string point_in(std::string_view json, bool ignore_z = true) {
  const Result<GeoPoint> point = read_point(*JsonValue::parse(json), ignore_z);
  return point.ok() ? point_to_text(*point) : point.status().reason();
}

TEST(GeoPoint, takes_every_form) {
  EXPECT_EQ(point_in("[20.5, -10]"), "-10.0, 20.5");
  EXPECT_EQ(point_in("[1, 2, 3]"), "2.0, 1.0");
  EXPECT_EQ(point_in(R"({"lat": 1, "lon": 2})"), "1.0, 2.0");
  EXPECT_EQ(point_in(R"({"lat": "1.5", "lon": "-2", "z": 3})"), "1.5, -2.0");
  EXPECT_EQ(point_in(R"("41.12,-71.34")"), "41.12, -71.34");
  EXPECT_EQ(point_in(R"(" 41.12 , +1e1,5 ")"), "41.12, 10.0");
  EXPECT_EQ(point_in("\"POINT (-71.34 41.12)\""), "41.12, -71.34");
  EXPECT_EQ(point_in("\"point(-71.34  41.12 7)\""), "41.12, -71.34");
  EXPECT_EQ(point_in(R"({"type": "Point", "coordinates": [1, 2]})"), "2.0, 1.0");
  EXPECT_EQ(point_in(R"({"type": "point", "coordinates": [1, 2, 3]})"), "2.0, 1.0");
}

TEST(GeoPoint, takes_the_south_western_corner_of_a_geohash) {
  EXPECT_EQ(point_in(R"("u")"), "45.0, 0.0");
  EXPECT_EQ(point_in(R"("drm3")"), "40.95703125, -71.3671875");
  EXPECT_EQ(point_in(R"({"geohash": "u"})"), "45.0, 0.0");
  EXPECT_EQ(point_in(R"("drm3btev3e86")"), point_in(R"("drm3btev3e86x")"));
}

TEST(GeoPoint, refuses_the_rest) {
  EXPECT_EQ(point_in("true"), "geo_point expected");
  EXPECT_EQ(point_in("3"), "geo_point expected");
  EXPECT_EQ(point_in(R"("x,1")"), "latitude must be a number");
  EXPECT_EQ(point_in(R"("NaN,1")"), "latitude must be a number");
  EXPECT_EQ(point_in(R"("1,")"), "longitude must be a number");
  EXPECT_EQ(point_in(R"("")"), "empty geohash");
  EXPECT_EQ(point_in(R"("abil")"), "unsupported symbol [a] in geohash [abil]");
  EXPECT_EQ(point_in(R"({"lat": 1})"), "Required [lon]");
  EXPECT_EQ(point_in(R"({"type": "Line", "coordinates": [1, 2]})"),
            "[type] for geo_point can only be 'Point'");
  EXPECT_EQ(point_in(R"({"coordinates": [1, 2]})"), "Required [type]");
  EXPECT_EQ(point_in("[1, 2, 3]", false),
            "Exception parsing coordinates: found Z value [3.0] but [ignore_z_value] parameter is "
            "[false]");
  for (const char* json :
       {"[1]", "[1, 2, 3, 4]", R"([1, "x"])", R"("hello world")", R"("POINT 1 2")", "\"POINT (1)\"",
        "\"POINT Z (1 2)\"", "\"POINT (1 2 3 4)\"", R"("1,2,3,4")", "{}", R"("POINT")",
        R"({"lat": 1, "lon": 2, "x": 3})", R"({"geohash": 1})",
        R"({"lat": 1, "lon": 2, "geohash": "u"})", "\"POINT )\""}) {
    EXPECT_FALSE(read_point(*JsonValue::parse(json), true).ok());
  }
}

TEST(GeoPoint, names_coordinates_beyond_their_ranges) {
  EXPECT_EQ(check_coordinates({91, 0}), "illegal latitude value [91.0]");
  EXPECT_EQ(check_coordinates({0, -180.5}), "illegal longitude value [-180.5]");
  EXPECT_EQ(check_coordinates({-90, 180}), "");
}

TEST(GeoPoint, normalizes_as_elasticsearch_does) {
  const auto text = [](double lat, double lon) { return point_to_text(normalized({lat, lon})); };
  EXPECT_EQ(text(91, 0), "89.0, 180.0");
  EXPECT_EQ(text(100, 91), "80.0, -89.0");
  EXPECT_EQ(text(-95, 10), "-85.0, -170.0");
  EXPECT_EQ(text(0, 181), "0.0, -179.0");
  EXPECT_EQ(text(370, 5), "10.0, 5.0");
  EXPECT_EQ(text(-90, -180), "-90.0, -180.0");
}

TEST(GeoPoint, encodes_the_ends_of_the_ranges) {
  EXPECT_EQ(encode_latitude(90), INT32_MAX);
  EXPECT_EQ(encode_latitude(-90), INT32_MIN);
  EXPECT_EQ(encode_longitude(180), INT32_MAX);
  EXPECT_EQ(encode_longitude(-180), INT32_MIN);
  EXPECT_EQ(encode_point({0, 0}), 0);
  // As Elasticsearch 8.19 prints them.
  EXPECT_EQ(point_to_text(decode_point(encode_point({10, 20}))),
            "9.999999990686774, 19.99999998137355");
}

TEST(GeoPoint, decodes_to_the_same_code) {
  Random random(11);
  for (int i = 0; i < 10000; i++) {
    const auto packed = static_cast<int64_t>(random.next());
    const GeoPoint point = decode_point(packed);
    EXPECT_EQ(encode_point(point), packed);
    EXPECT_TRUE(std::fabs(point.lat) <= 90 && std::fabs(point.lon) <= 180);
  }
}

TEST(GeoPoint, orders_by_latitude_first) {
  EXPECT_TRUE(encode_point({10, 170}) < encode_point({11, -170}));
  EXPECT_TRUE(encode_point({-1, 170}) < encode_point({1, -170}));
}

TEST(GeoPoint, prints_geohashes_that_read_back) {
  EXPECT_EQ(geohash_of({41.12, -71.34}, 12), "drm3btev3e86");
  EXPECT_EQ(geohash_of({41.12, -71.34}, 4), "drm3");
  EXPECT_EQ(geohash_of({90, 180}, 12), "zzzzzzzzzzzz");
  EXPECT_EQ(geohash_of({-90, -180}, 3), "000");
  Random random(5);
  for (int i = 0; i < 1000; i++) {
    const GeoPoint point = decode_point(static_cast<int64_t>(random.next()));
    const std::string hash = geohash_of(point, 12);
    EXPECT_EQ(geohash_of(*read_point_text(hash, true), 12), hash);
  }
}

TEST(GeoPoint, prints_the_forms_of_responses) {
  EXPECT_EQ(point_to_geojson({1.5, -2}), R"({"coordinates":[-2.0,1.5],"type":"Point"})");
  EXPECT_EQ(point_to_wkt({1.5, -2}), "POINT (-2.0 1.5)");
}

}  // namespace quarry::geo_point_test
