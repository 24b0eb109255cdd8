// Days of a query string begin in its time zone, regardless of earlier searches and cache entries.
#include "query/cache/filter_cache.h"
#include "testing/test_index.h"

namespace quarry::with_time_zone_query_test {

using testing::NodeBytes;
using testing::Query;
using testing::raw_node;
using testing::TestIndex;

NodeBytes in_zone(std::string_view zone, const NodeBytes& clause) {
  ByteWriter out;
  out.put(1.0F);
  out.put_string("");
  out.put_string(zone);
  out.put_bytes(Bytes(clause));
  return raw_node(PlanOp::kWithTimeZone, out);
}

struct Days {
  TestIndex index{R"({"properties":{"d":{"type":"date"},"t":{"type":"text"}}})"};

  Days() {
    index.add("1", R"({"d":"2024-01-31T22:30:00Z","t":"one"})");
    index.add("2", R"({"d":"2024-01-31T23:30:00Z","t":"one"})");
    index.add("3", R"({"d":"2024-02-01T23:30:00Z","t":"one"})");
    index.refresh();
  }
};

TEST(WithTimeZone, DaysBeginWhereItSays) {
  const Days days;
  for (const NodeBytes& day : {Query().term("d", "2024-02-01"), Query().match("d", "2024-02-01")}) {
    EXPECT_EQ(days.index.ids(day), "3");
    EXPECT_EQ(days.index.ids(in_zone("+01:00", day)), "2");
    EXPECT_EQ(days.index.ids(in_zone("Europe/Athens", day)), "1 2");
  }
  // A timestamp with its own zone is not affected.
  const NodeBytes moment = Query().term("d", "2024-01-31T23:30:00Z");
  EXPECT_EQ(days.index.ids(in_zone("+05:00", moment)), "2");
}

TEST(WithTimeZone, EndsWithItsClause) {
  const Days days;
  const NodeBytes day = Query().term("d", "2024-02-01");
  EXPECT_EQ(days.index.ids(Query().boolean({}, {}, {in_zone("+01:00", day), day})), "2 3");
}

TEST(WithTimeZone, WhatIsKeptIsNotMistaken) {
  Days days;
  FilterCache cache(size_t{1} << 20);
  days.index.use_cache(&cache);
  const NodeBytes other =
      Query().boolean({Query().match("t", "one")}, {}, {}, {Query().term("d", "2024-02-01")});
  for (uint32_t time = 0; time < 5; time++) {
    EXPECT_EQ(days.index.ids(other), "1 2");
    EXPECT_EQ(days.index.ids(in_zone("+01:00", other)), "1 3");
    EXPECT_EQ(days.index.ids(in_zone("Europe/Athens", other)), "3");
  }
}

TEST(WithTimeZone, AnUnknownZoneIsRefusedWhereNoDateIsRead) {
  const Days days;
  const std::string error = days.index.error(in_zone("EUROPE/BERLIN", Query().match("t", "one")));
  EXPECT_TRUE(error.find("EUROPE/BERLIN") != std::string::npos);
}

}  // namespace quarry::with_time_zone_query_test
