// top_metrics: the best documents by a sort key and the values that they show.
#include <string>
#include <vector>

#include "testing/agg_builder.h"
#include "testing/agg_text.h"
#include "testing/query_builder.h"
#include "testing/test_index.h"

namespace quarry::top_metrics_test {

using namespace testing;

NodeBytes top_metrics(std::string_view sort, bool descending,
                      const std::vector<std::string>& metrics, uint32_t size = 1) {
  AggBuilder builder(PlanOp::kAggTopMetrics, "top_metrics");
  builder.put(size).put(uint32_t{1});
  builder.text(sort).put(static_cast<uint8_t>(descending ? 1 : 0)).put(uint8_t{0}).put(uint8_t{0});
  builder.scalar({}).text("").text("").text("");
  builder.put(static_cast<uint32_t>(metrics.size()));
  for (const std::string& metric : metrics) builder.source(metric);
  return builder.finish();
}

struct Shop {
  TestIndex index{R"({"properties":{"tag":{"type":"keyword"},"n":{"type":"long"},
      "f":{"type":"double"},"ip":{"type":"ip"},"day":{"type":"date"}}})"};
  Shop() {
    index.add("0", R"({"tag":["b","a"],"n":5,"f":[0.5,1.5],"ip":"10.0.0.2","day":"2024-01-02"})");
    index.add("1", R"({"tag":"b","n":[7,8],"f":2})");
    index.refresh();
    index.add("2", R"({"tag":"c","n":9,"day":"2024-01-01"})");
    index.add("3", R"({"tag":"c","f":4})");
    index.refresh();
  }
  std::string run(const NodeBytes& agg) const {
    PlanFrame frame;
    frame.legs.push_back(Query().match_all());
    frame.aggs.push_back(agg);
    frame.window = 0;
    const Result<ShardHits> hits = index.run(frame);
    return hits.ok() ? read_aggs(hits->aggs)[0] : "error: " + hits.status().reason();
  }
};

TEST(TopMetrics, ShowsValuesOfTheBestDocuments) {
  const Shop shop;
  EXPECT_EQ(shop.run(top_metrics("n", true, {"tag"})), "2:c");
  EXPECT_EQ(shop.run(top_metrics("n", false, {"tag", "ip", "f"})), "0:a|10.0.0.2|1");
  EXPECT_EQ(shop.run(top_metrics("n", false, {"n", "day"}, 4)),
            "0:5|1704153600000 1:8|null 2:9|1704067200000 3:null|null");
  EXPECT_EQ(shop.run(top_metrics("n", true, {"no_field"}, 2)), "2:null 1:null");
}

TEST(TopMetrics, OfEachOwner) {
  EXPECT_EQ(Shop().run(terms_agg("tag", {}, {top_metrics("n", true, {"n"})})),
            "[b=2{1:8} c=2{2:9} a=1{0:5}]");
}

TEST(TopMetrics, OrdersBucketsByAMetric) {
  AggOrder order;
  order.by = OrderBy::kMetric;
  order.descending = false;
  order.property = OrderProperty::kTopMetric;
  order.path = {0};
  TermsOptions options;
  options.orders = {order};
  EXPECT_EQ(Shop().run(terms_agg("tag", options, {top_metrics("n", true, {"f"})})),
            "[a=1{0:1} b=2{1:2} c=2{2:null}]");
  options.orders[0].argument = 1;
  EXPECT_TRUE(Shop()
                  .run(terms_agg("tag", options, {top_metrics("n", true, {"f"})}))
                  .starts_with("error: Invalid aggregation order path"));
}

TEST(TopMetrics, SortsByNumbersOnly) {
  EXPECT_TRUE(Shop().run(top_metrics("tag", true, {"n"})).find("only supported on numeric") !=
              std::string::npos);
  EXPECT_TRUE(Shop().run(top_metrics("n", true, {"n"}, 0)).starts_with("error: malformed"));
}

}  // namespace quarry::top_metrics_test
