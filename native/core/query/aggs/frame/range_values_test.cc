// Aggregations over ranges and over timestamps in nanoseconds.
#include <algorithm>
#include <string>

#include "testing/agg_builder.h"
#include "testing/agg_text.h"
#include "testing/query_builder.h"
#include "testing/test_index.h"

namespace quarry::range_values_test {

using namespace testing;

struct Stays {
  TestIndex index{R"({"properties":{"n":{"type":"integer_range"},"d":{"type":"date_range"},
      "a":{"type":"ip_range"},"at":{"type":"date_nanos"}}})"};

  Stays() {
    index.add("1", R"({"n":{"gte":3,"lte":12},"d":{"gte":"2016-01-20","lt":"2016-02-02"},
                       "a":"10.0.0.0/8","at":"2018-10-29T12:12:12.123456789Z"})");
    index.add("2", R"({"n":[{"gte":1,"lt":4},{"gt":6,"lte":7},{"gte":11,"lte":11}],
                       "at":"2018-10-30T23:59:59.999999999Z"})");
    index.refresh();
    index.add("3", R"({"n":{"gte":20},"d":{"lt":"2016-01-02"},"at":[0,1]})");
    index.add("4", "{}");
    index.refresh();
  }

  std::string run(const NodeBytes& agg) const {
    PlanFrame frame;
    frame.legs.push_back(Query().match_all());
    frame.aggs.push_back(agg);
    frame.window = 0;
    const Result<ShardHits> hits = index.run(frame);
    if (!hits.ok()) {
      return std::string(error_wire_type(hits.status().type())) + ": " + hits.status().reason();
    }
    return read_aggs(hits->aggs)[0];
  }
};

NodeBytes bounded(std::string_view field, double interval, double offset, double low, double high) {
  return AggBuilder(PlanOp::kAggHistogram, "histogram")
      .source(field)
      .put(interval)
      .put(offset)
      .put(low)
      .put(high)
      .finish({});
}

NodeBytes months(std::string_view field, const std::string& low, const std::string& high) {
  RoundingSpec month;
  month.unit = 3;
  return AggBuilder(PlanOp::kAggDateHistogram, "date_histogram")
      .source(field)
      .rounding(month)
      .scalar({})
      .scalar({})
      .scalar(string_scalar(low))
      .scalar(string_scalar(high))
      .finish({});
}

TEST(RangeValues, CountOnceInEachIntervalTheyTouch) {
  const Stays stays;
  // 2: 1 to 3 and 7 are in 0 and 5, 11 in 10; 3 is limited to 24.
  EXPECT_EQ(stays.run(bounded("n", 5, 0, 0, 24)), "[0=2 1=2 2=2 4=1]");
  EXPECT_EQ(stays.run(bounded("n", 10, 2, 5, 21)), "[0=2 1=2]");
}

TEST(RangeValues, WithoutEndsAreRefusedNotCounted) {
  const Stays stays;
  EXPECT_EQ(stays.run(histogram_agg("n", 1)).substr(0, 26), "circuit_breaking_exception");
  EXPECT_EQ(stays.run(histogram_agg("a", 1)),
            "illegal_argument_exception: Field [a] of type [ip_range] is not supported for "
            "aggregation [histogram]");
}

/// One more than a key of 2^53 and above is the same number.
TEST(RangeValues, OfLargeNumbersEnd) {
  TestIndex index(R"({"properties":{"l":{"type":"long_range"}}})");
  index.add("1", R"({"l":{"gte":1000000000000000000,"lte":1000000000000001024}})");
  index.refresh();
  PlanFrame frame;
  frame.legs = {Query().match_all()};
  frame.aggs = {histogram_agg("l", 1)};
  frame.window = 0;
  const Result<ShardHits> hits = index.run(frame);
  ASSERT_TRUE(hits.ok());
  const std::string text = read_aggs(hits->aggs)[0];
  EXPECT_EQ(std::count(text.begin(), text.end(), '='), 9);
}

TEST(RangeValues, DatesByMonths) {
  const Stays stays;
  EXPECT_EQ(stays.run(months("d", "2015-12-01", "2016-03-01")),
            "[1448928000000=1 1451606400000=2 1454284800000=1]");
}

TEST(RangeValues, OfNumbersHaveNoMonths) {
  const Stays stays;
  EXPECT_EQ(stays.run(months("n", "2015-12-01", "2016-03-01")),
            "illegal_argument_exception: Expected date range type but found range type "
            "[integer_range] of field [n], use a [histogram]");
}

TEST(RangeValues, AreCountedAndNoKeys) {
  const Stays stays;
  EXPECT_EQ(stays.run(AggBuilder(PlanOp::kAggValueCount, "value_count").source("n").finish({})),
            "5");
  EXPECT_EQ(stays.run(terms_agg("n", {})),
            "illegal_argument_exception: Field [n] of type [integer_range] is not supported for "
            "aggregation [terms]");
}

TEST(DateNanosValues, AreMilliseconds) {
  const Stays stays;
  RoundingSpec day;
  day.unit = 5;
  EXPECT_EQ(stays.run(date_histogram_agg("at", day)), "[0=1 1540771200000=1 1540857600000=1]");
  EXPECT_EQ(stays.run(stats_agg("at")), "4,3081759132123,0,1540943999999");
  EXPECT_EQ(stays.run(months("at", "2018-10-01", "2018-11-01")), "[1538352000000=2]");
}

}  // namespace quarry::range_values_test
