// The clauses and the sort by place over an index of several segments, compared with the distances
// of its points; what they refuse; their work is bounded.
#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/random.h"
#include "mapping/values/geo_point.h"
#include "query/geo/geo_distance.h"
#include "testing/query_builder.h"
#include "testing/test_index.h"

namespace quarry::geo_query_test {

using testing::NodeBytes;
using testing::PlanFrame;
using testing::Query;
using testing::TestIndex;

using Points = std::vector<GeoPoint>;

std::string json_of(const Points& points) {
  std::string out;
  for (const GeoPoint& point : points) {
    out += (out.empty() ? "" : ",") + std::string(R"({"lat":)") + std::to_string(point.lat) +
           R"(,"lon":)" + std::to_string(point.lon) + "}";
  }
  return "[" + out + "]";
}

/// An index with documents that have none to three points, in three segments of several zones.
struct World {
  TestIndex index{R"({"properties":{"p":{"type":"geo_point"},"tag":{"type":"keyword"}}})"};
  std::vector<Points> documents;

  World() {
    Random random(77);
    for (int id = 0; id < 4000; id++) {
      Points points;
      const uint64_t kind = random.below(8);
      for (uint64_t left = kind == 0 ? 0 : kind == 1 ? 3 : 1; left > 0; left--) {
        const double lat = static_cast<double>(random.below(180001)) / 1000 - 90;
        const double lon = static_cast<double>(random.below(360001)) / 1000 - 180;
        points.push_back({lat, lon});
      }
      index.add(std::to_string(id), R"({"tag":")" + std::string(id % 50 == 0 ? "rare" : "usual") +
                                        R"(","p":)" + json_of(points) + "}");
      if (id == 2500 || id == 2600) index.refresh();
      for (GeoPoint& point : points) point = decode_point(encode_point(point));
      documents.push_back(std::move(points));
    }
    index.refresh();
  }

  std::set<std::string> found(const NodeBytes& query) const {
    PlanFrame frame;
    frame.window = 5000;
    frame.legs.push_back(query);
    const Result<ShardHits> hits = index.run(frame);
    EXPECT_OK(hits);
    std::set<std::string> ids;
    for (const uint32_t doc : hits->legs[0].docs) ids.insert(index.id(doc));
    EXPECT_EQ(hits->total, ids.size());
    return ids;
  }
  template <typename Wanted>
  std::set<std::string> expected(Wanted wanted, size_t step = 1) const {
    std::set<std::string> ids;
    for (size_t id = 0; id < documents.size(); id += step) {
      if (std::any_of(documents[id].begin(), documents[id].end(), wanted))
        ids.insert(std::to_string(id));
    }
    return ids;
  }
};

TEST(GeoQuery, finds_what_is_near) {
  const World world;
  Random random(5);
  for (int round = 0; round < 60; round++) {
    const GeoPoint center{static_cast<double>(random.below(180)) - 90,
                          static_cast<double>(random.below(360)) - 180};
    const double meters = std::pow(10, 4 + static_cast<double>(random.below(330)) / 100);
    const std::string shape = json_of({center}).substr(1, json_of({center}).size() - 2);
    const NodeBytes query = Query().geo_distance("p", shape, std::to_string(meters));
    const GeoPoint from = decode_point(encode_point(center));
    const auto near = [&](const GeoPoint& point) {
      return distance_between(DistanceType::kArc, from, point) <= meters;
    };
    EXPECT_TRUE(world.found(query) == world.expected(near));
    // Another clause leads, and the column is read for its candidates.
    const NodeBytes both = Query().boolean({}, {Query().term("tag", "rare"), query});
    EXPECT_TRUE(world.found(both) == world.expected(near, 50));
  }
}

TEST(GeoQuery, finds_what_is_in_a_box_and_in_a_polygon) {
  const World world;
  const auto inside = [](const GeoPoint& point) {
    return point.lat <= 40 && point.lat >= -20 && point.lon >= 10 && point.lon <= 60;
  };
  EXPECT_TRUE(world.found(Query().geo_bounding_box(
                  "p", R"({"top":40,"left":10,"bottom":-20,"right":60})")) ==
              world.expected(inside));
  EXPECT_TRUE(world.found(Query().geo_polygon("p", "[[10,-20],[60,-20],[60,40],[10,40]]")) ==
              world.expected(inside));
  const auto beyond = [](const GeoPoint& point) {
    return point.lat <= 40 && point.lat >= -20 && (point.lon >= 100 || point.lon <= -100);
  };
  EXPECT_TRUE(world.found(Query().geo_bounding_box(
                  "p", R"({"top_left":"40,100","bottom_right":[-100,-20]})")) ==
              world.expected(beyond));
}

TEST(GeoQuery, scores_its_boost) {
  const World world;
  EXPECT_EQ(world.index.score(Query(2.5F).geo_distance("p", "[0,0]", "3e7")), 2.5F);
}

SortKey distance_key(ByteWriter& details, std::string_view points, bool descending,
                     SortMode mode = SortMode::kDefault) {
  details.put_string("p");
  details.put_string(points);
  details.put(uint8_t{0});
  details.put(uint8_t{0});
  details.put(uint8_t{0});
  details.put_string("km");
  SortKey key;
  key.field = "_geo_distance";
  key.descending = descending;
  key.mode = mode;
  key.details = details.view();
  return key;
}

TEST(GeoQuery, sorts_by_distance) {
  const World world;
  const GeoPoint from{48.1, 11.5};
  for (const bool descending : {false, true}) {
    ByteWriter details;
    PlanFrame frame;
    frame.window = 5000;
    frame.legs.push_back(Query().match_all());
    frame.sort.push_back(distance_key(details, R"("48.1,11.5")", descending));
    const Result<ShardHits> hits = world.index.run(frame);
    ASSERT_OK(hits);
    const std::vector<double>& values = hits->legs[0].sort[0].doubles;
    EXPECT_EQ(values.size(), world.documents.size());
    EXPECT_TRUE(descending ? std::is_sorted(values.rbegin(), values.rend())
                           : std::is_sorted(values.begin(), values.end()));
    for (size_t i = 0; i < values.size(); i++) {
      double expected = descending ? 0 : HUGE_VAL;
      const Points& points = world.documents[hits->legs[0].docs[i]];
      for (const GeoPoint& point : points) {
        const double km = distance_between(DistanceType::kArc, from, point) / 1000;
        expected = descending ? std::max(expected, km) : std::min(expected, km);
      }
      EXPECT_EQ(values[i], points.empty() ? HUGE_VAL : expected);
    }
  }
}

TEST(GeoQuery, continues_after_a_distance) {
  const World world;
  ByteWriter details;
  PlanFrame frame;
  frame.window = 20;
  frame.legs.push_back(Query().match_all());
  frame.sort.push_back(distance_key(details, "[[11.5,48.1],[0,0]]", false));
  const Result<ShardHits> first = world.index.run(frame);
  ASSERT_OK(first);
  const double last = first->legs[0].sort[0].doubles[9];
  frame.search_after.push_back({Scalar::Kind::kNumber, std::to_string(last)});
  const Result<ShardHits> second = world.index.run(frame);
  ASSERT_OK(second);
  EXPECT_NEAR(second->legs[0].sort[0].doubles[0], first->legs[0].sort[0].doubles[10], 1e-3);
  frame.search_after[0] = {Scalar::Kind::kString, "Infinity"};
  EXPECT_EQ(world.index.ids(frame), "");
}

TEST(GeoQuery, refuses_what_it_cannot_search) {
  TestIndex index(R"({"properties":{"p":{"type":"geo_point"},"k":{"type":"keyword"},
      "off":{"type":"geo_point","index":false,"doc_values":false}}})");
  index.add("1", R"({"p":"1,2"})");
  index.refresh();
  const auto error = [&](const NodeBytes& query) { return index.error(query); };
  EXPECT_EQ(error(Query().geo_distance("u", "[1,2]", "1km")),
            "query_shard_exception: failed to find geo field [u]");
  EXPECT_EQ(index.ids(Query().geo_distance("u", "[1,2]", "1km", true)), "");
  EXPECT_EQ(error(Query().geo_distance("k", "[1,2]", "1km")),
            "query_shard_exception: Field [k] is of unsupported type "
            "[keyword] for [geo_distance] query");
  EXPECT_EQ(error(Query().geo_distance("off", "[1,2]", "1km")),
            "query_shard_exception: failed to create query: Cannot search on field [off] since it "
            "is not indexed nor has doc values.");
  EXPECT_TRUE(error(Query().geo_distance("p", "[1,91]", "1km")).find("illegal latitude value") !=
              std::string::npos);
  EXPECT_TRUE(error(Query().geo_distance("p", "[1,2]", "-1km")).find("greater than zero") !=
              std::string::npos);
  EXPECT_TRUE(error(Query().geo_bounding_box("p", R"({"top":1,"left":1,"bottom":2,"right":2})"))
                  .find("top is below bottom corner: 1.0 vs. 2.0") != std::string::npos);
  EXPECT_TRUE(error(Query().geo_bounding_box("p", R"({"top":1,"left":1,"bottom":0})"))
                  .find("the edge [right] is missing") != std::string::npos);
  EXPECT_TRUE(error(Query().geo_bounding_box("p", R"--({"wkt":"POINT (1 2)"})--"))
                  .find("[wkt] must be BBOX") != std::string::npos);
  EXPECT_TRUE(error(Query().geo_polygon("p", "[[1,2],[3,4]]")).find("at least three") !=
              std::string::npos);
  std::string many = "[[0,0]";
  for (int i = 0; i < 10000; i++) many += ",[1,1]";
  EXPECT_TRUE(error(Query().geo_polygon("p", many + "]")).find("more than [10000]") !=
              std::string::npos);
}

}  // namespace quarry::geo_query_test
