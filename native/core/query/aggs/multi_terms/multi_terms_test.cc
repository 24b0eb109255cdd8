// multi_terms: tuples as keys, their order, the best of a shard, missing values, limits.
#include <string>
#include <vector>

#include "testing/agg_builder.h"
#include "testing/agg_text.h"
#include "testing/query_builder.h"
#include "testing/test_index.h"

namespace quarry::multi_terms_test {

using namespace testing;

struct Options {
  explicit Options(std::vector<std::string> of) : fields(std::move(of)) {}
  std::vector<std::string> fields;
  Scalar missing;
  uint32_t shard_size = 10;
  uint32_t exact_limit = 1000;
  uint32_t min_doc_count = 1;
  std::vector<AggOrder> orders;
};

NodeBytes multi_terms(const Options& options, const std::vector<NodeBytes>& children = {}) {
  AggBuilder builder(PlanOp::kAggMultiTerms, "multi_terms");
  builder.put(static_cast<uint32_t>(options.fields.size()));
  for (const std::string& field : options.fields) builder.source(field, options.missing);
  builder.put(options.shard_size).put(options.exact_limit).put(options.min_doc_count);
  return builder.orders(options.orders).finish(children);
}

struct Shop {
  TestIndex index{R"({"properties":{"tag":{"type":"keyword"},"n":{"type":"long"},
      "f":{"type":"double"},"ip":{"type":"ip"},"text":{"type":"text"}}})"};
  Shop() {
    index.add("0", R"({"tag":["a","b"],"n":[1,1,7],"f":0.5,"ip":"10.0.0.2"})");
    index.add("1", R"({"tag":"b","n":7,"f":1.5,"ip":"10.0.0.10"})");
    index.refresh();
    index.add("2", R"({"tag":"b","n":7})");
    index.add("3", R"({"tag":"c"})");
    index.add("4", R"({"n":7})");
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

TEST(MultiTerms, EveryCombinationOfTheValuesIsABucket) {
  const Shop shop;
  EXPECT_EQ(shop.run(multi_terms(Options({"tag", "n"}))), "[b|7=3 a|1=1 a|7=1 b|1=1]");
  EXPECT_EQ(shop.run(multi_terms(Options({"ip", "f"}))),
            "[10.0.0.2|0.500000=1 10.0.0.10|1.500000=1]");
  EXPECT_EQ(shop.run(multi_terms(Options({"tag", "no_field"}))), "[]");
  EXPECT_EQ(shop.run(multi_terms(Options({"n", "n"}))), "[7|7=4 1|1=1 1|7=1 7|1=1]");
}

TEST(MultiTerms, MissingValuesAndLeastCounts) {
  Options options({"n", "n"});
  options.missing = number_scalar("9");
  options.min_doc_count = 2;
  EXPECT_EQ(Shop().run(multi_terms(options)), "[7|7=4]");
  options.min_doc_count = 1;
  EXPECT_EQ(Shop().run(multi_terms(options)), "[7|7=4 1|1=1 1|7=1 7|1=1 9|9=1]");
}

TEST(MultiTerms, OrdersByKeysAndByTheMetricsInside) {
  AggOrder key;
  key.by = OrderBy::kKey;
  key.descending = true;
  Options options({"tag", "n"});
  options.orders = {key};
  EXPECT_EQ(Shop().run(multi_terms(options)), "[b|7=3 b|1=1 a|7=1 a|1=1]");
  AggOrder metric;
  metric.by = OrderBy::kMetric;
  metric.property = OrderProperty::kMin;
  metric.path = {0};
  options.orders = {metric};
  const std::string found = Shop().run(multi_terms(options, {stats_agg("f")}));
  EXPECT_EQ(found,
            "[a|1=1{1,0.500000,0.500000,0.500000} a|7=1{1,0.500000,0.500000,0.500000} "
            "b|1=1{1,0.500000,0.500000,0.500000} b|7=3{2,2,0.500000,1.500000}]");
}

TEST(MultiTerms, OfManyBucketsTheBestOfTheShardAreKept) {
  Options options({"tag", "n"});
  options.exact_limit = 2;
  options.shard_size = 1;
  EXPECT_EQ(Shop().run(multi_terms(options)), "[b|7=3]+3/3");
}

TEST(MultiTerms, BucketsOfEachOwner) {
  EXPECT_EQ(Shop().run(terms_agg("tag", {}, {multi_terms(Options({"n", "ip"}))})),
            "[b=3{[1|10.0.0.2=1 7|10.0.0.2=1 7|10.0.0.10=1]} "
            "a=1{[1|10.0.0.2=1 7|10.0.0.2=1]} c=1{[]}]");
}

TEST(MultiTerms, RefusesWhatTermsRefuse) {
  EXPECT_TRUE(Shop().run(multi_terms(Options({"tag", "text"}))).find("Fielddata is disabled") !=
              std::string::npos);
  EXPECT_TRUE(Shop().run(multi_terms(Options({}))).starts_with("error: malformed search plan"));
}

TEST(MultiTerms, ADocumentWithVeryManyTuplesTakesBoundedMemory) {
  TestIndex index(
      R"({"properties":{"a":{"type":"long"},"b":{"type":"long"},"c":{"type":"long"}}})");
  std::string values;
  for (int i = 0; i < 200; i++) values += (i == 0 ? "" : ",") + std::to_string(i);
  for (int i = 0; i < 3; i++) {
    index.add(std::to_string(i),
              R"({"a":[)" + values + R"(],"b":[)" + values + R"(],"c":[)" + values + "]}");
  }
  index.refresh();
  PlanFrame frame;
  frame.legs.push_back(Query().match_all());
  frame.aggs.push_back(multi_terms(Options({"a", "b", "c"})));
  const Result<ShardHits> hits = index.run(frame);
  EXPECT_TRUE(hits.status().type() == ErrorType::kCircuitBreaking);
}

}  // namespace quarry::multi_terms_test
