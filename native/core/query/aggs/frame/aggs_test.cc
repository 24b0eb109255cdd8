// Individual rules of aggregations: allowed fields, missing values, lists of terms, pages, samples,
// limits, and invalid plans.
#include <string>
#include <vector>

#include "query/aggs/frame/agg_memory.h"
#include "query/aggs/frame/agg_reply.h"
#include "testing/agg_builder.h"
#include "testing/agg_text.h"
#include "testing/query_builder.h"
#include "testing/test_index.h"

namespace quarry::aggs_test {

using namespace testing;

struct Shop {
  TestIndex index{R"({"properties":{"tag":{"type":"keyword"},"text":{"type":"text"},
      "n":{"type":"long"},"u":{"type":"unsigned_long"},"f":{"type":"float"},"ok":{"type":"boolean"},
      "day":{"type":"date"},"ip":{"type":"ip"},"flat":{"type":"flattened"},
      "nodv":{"type":"keyword","doc_values":false},"w":{"type":"integer"},
      "point":{"type":"geo_point"}}})"};

  Shop() {
    index.add("0", R"({"tag":["a","b"],"text":"fox","n":[1,1,7],"u":18446744073709551615,"f":0.5,
                       "ok":true,"day":"2024-01-31T23:30:00Z","ip":"10.0.0.1","w":2,
                       "flat":{"x":"1","y":"2"}})");
    index.add("1", R"({"tag":"b","text":"fox fox","n":5,"u":3,"f":-1.5,"ok":false,
                       "day":"2024-02-01T00:30:00Z","ip":"10.0.0.200","w":3,"flat":{"x":"1"}})");
    index.refresh();
    index.add("2", R"({"tag":"c","text":"hare fox hare","n":-4,"day":"2024-03-31T02:30:00Z",
                       "ip":"::1"})");
    index.add("3", R"({"text":"hare","f":2})");
    index.add("4", R"({"tag":"z","n":100})");
    index.refresh();
    index.remove("4");
  }

  PlanFrame frame(const NodeBytes& agg) const {
    PlanFrame frame;
    frame.legs.push_back(Query().match_all());
    frame.aggs.push_back(agg);
    frame.window = 0;
    return frame;
  }
  std::string run(const PlanFrame& frame) const {
    const Result<ShardHits> hits = index.run(frame);
    if (!hits.ok()) {
      return std::string(error_wire_type(hits.status().type())) + ": " + hits.status().reason();
    }
    return read_aggs(hits->aggs)[0];
  }
  std::string run(const NodeBytes& agg) const { return run(frame(agg)); }
};

bool starts_with(const std::string& text, std::string_view start) {
  return std::string_view(text).starts_with(start);
}

TEST(Aggregations, KeysOfAReplyTakeBoundedMemory) {
  const std::string key(32000, 'k');
  AggWriter fits;
  fits.texts(std::vector<std::string>(4000, key));
  fits.texts(std::vector<std::string>(4000, key));
  EXPECT_OK(fits.status());
  const size_t size = fits.bytes().size();
  fits.texts(std::vector<std::string>(400, key));
  EXPECT_TRUE(fits.status().type() == ErrorType::kCircuitBreaking);
  EXPECT_EQ(fits.bytes().size(), size);
}

TEST(Aggs, KeysOfEveryType) {
  const Shop shop;
  EXPECT_EQ(shop.run(terms_agg("tag")), "[b=2 a=1 c=1]");
  EXPECT_EQ(shop.run(terms_agg("n")), "[-4=1 1=1 5=1 7=1]");
  EXPECT_EQ(shop.run(terms_agg("u")), "[3=1 18446744073709551615=1]");
  EXPECT_EQ(shop.run(terms_agg("f")), "[-1.500000=1 0.500000=1 2=1]");
  EXPECT_EQ(shop.run(terms_agg("ok")), "[0=1 1=1]");
  EXPECT_EQ(shop.run(terms_agg("ip")), "[::1=1 10.0.0.1=1 10.0.0.200=1]");
  EXPECT_EQ(shop.run(terms_agg("flat.x")), "[1=2]");
  EXPECT_EQ(shop.run(terms_agg("flat")), "[1=2 2=1]");
  EXPECT_EQ(shop.run(terms_agg("_index")), "[films=4]");
}

TEST(Aggs, FieldsThatCannotBeUsed) {
  const Shop shop;
  EXPECT_TRUE(starts_with(shop.run(terms_agg("text")),
                          "illegal_argument_exception: Fielddata is disabled on [text] in [films]. "
                          "Text fields are not optimised"));
  EXPECT_EQ(shop.run(stats_agg("tag")),
            "illegal_argument_exception: Field [tag] of type [keyword] is not supported for "
            "aggregation [stats]");
  EXPECT_TRUE(starts_with(shop.run(terms_agg("nodv")),
                          "illegal_argument_exception: Can't load fielddata on [nodv]"));
  EXPECT_TRUE(starts_with(shop.run(terms_agg("_id")),
                          "illegal_argument_exception: Fielddata access on the _id field"));
  EXPECT_EQ(shop.run(terms_agg("point")),
            "illegal_argument_exception: Field [point] of type [geo_point] is not supported for "
            "aggregation [terms]");
}

TEST(Aggs, UnmappedFieldsAndMissingValues) {
  const Shop shop;
  EXPECT_EQ(shop.run(terms_agg("nobody")), "[]");
  EXPECT_EQ(shop.run(stats_agg("nobody")), "0,0,0,0");
  TermsOptions none;
  none.missing = string_scalar("none");
  EXPECT_EQ(shop.run(terms_agg("tag", none)), "[b=2 a=1 c=1 none=1]");
  EXPECT_EQ(shop.run(terms_agg("nobody", none)), "[none=4]");
  none.missing = string_scalar("b");
  EXPECT_EQ(shop.run(terms_agg("tag", none)), "[b=3 a=1 c=1]");
  EXPECT_EQ(shop.run(stats_agg("n", number_scalar("10"))), "6,20,-4,10");
  EXPECT_EQ(shop.run(stats_agg("nobody", number_scalar("2.5"))), "4,10,2.500000,2.500000");
  EXPECT_TRUE(starts_with(shop.run(stats_agg("n", string_scalar("x"))),
                          "number_format_exception: For input string: \"x\""));
}

TEST(Aggs, Metrics) {
  const Shop shop;
  EXPECT_EQ(shop.run(stats_agg("n", {}, true)), "5,10,-4,7,92");
  EXPECT_EQ(shop.run(stats_agg("ok")), "2,1,0,1");
  EXPECT_EQ(shop.run(AggBuilder(PlanOp::kAggValueCount, "value_count").source("ip").finish()), "3");
  const auto weighted = [](std::string_view value, std::string_view weight) {
    return AggBuilder(PlanOp::kAggWeightedAvg, "weighted_avg")
        .source(value)
        .source(weight)
        .finish();
  };
  EXPECT_EQ(shop.run(weighted("f", "w")), "-3.500000,5");
  EXPECT_EQ(shop.run(weighted("n", "w")), "33,9");
  EXPECT_TRUE(starts_with(shop.run(weighted("f", "n")), "illegal_argument_exception: Encountered"));
}

TEST(Aggs, IncludeExcludeAndPartitions) {
  const Shop shop;
  TermsOptions options;
  options.include = {string_scalar("a"), string_scalar("b")};
  options.exclude = {string_scalar("b")};
  EXPECT_EQ(shop.run(terms_agg("tag", options)), "[a=1]");
  options = {};
  options.include_regexp = "[ab]";
  options.exclude_regexp = "a.*";
  EXPECT_EQ(shop.run(terms_agg("tag", options)), "[b=2]");
  EXPECT_TRUE(starts_with(shop.run(terms_agg("n", options)),
                          "illegal_argument_exception: Aggregation [name] cannot support regular "
                          "expression style include/exclude"));
  options = {};
  options.include = {number_scalar("5"), number_scalar("-4")};
  EXPECT_EQ(shop.run(terms_agg("n", options)), "[-4=1 5=1]");
  // The same partitions as in Elasticsearch (from its test of partitions).
  TestIndex index(R"({"properties":{"str":{"type":"keyword"},"n":{"type":"integer"}}})");
  index.add("1", R"({"str":"abc","n":1234})");
  index.add("2", R"({"str":"abc","n":5678})");
  index.add("3", R"({"str":"bcd","n":1234})");
  index.refresh();
  options = {};
  options.partitions = 2;
  PlanFrame frame = shop.frame(terms_agg("str", options));
  frame.aggs.push_back(terms_agg("n", options));
  const Result<ShardHits> hits = index.run(frame);
  ASSERT_OK(hits);
  EXPECT_EQ(read_aggs(hits->aggs)[0], "[bcd=1]");
  EXPECT_EQ(read_aggs(hits->aggs)[1], "[5678=1]");
}

TEST(Aggs, TermsWithoutDocumentsAndLimitsOfCounts) {
  const Shop shop;
  TermsOptions options;
  options.flags = 1;
  options.min_doc_count = 0;
  PlanFrame frame = shop.frame(terms_agg("tag", options));
  frame.legs[0] = Query().term("tag", "a");
  EXPECT_EQ(shop.run(frame), "[a=1 b=1 c=0 z=0]");
  frame.aggs[0] = terms_agg("n", options);
  EXPECT_EQ(shop.run(frame), "[1=1 7=1 -4=0 5=0]");
  options = {};
  options.min_doc_count = 2;
  EXPECT_EQ(shop.run(terms_agg("tag", options)), "[b=2]");
  options.min_doc_count = 1;
  options.max_doc_count = 1;
  EXPECT_EQ(shop.run(terms_agg("tag", options)), "[a=1 c=1]");
}

TEST(Aggs, Orders) {
  const Shop shop;
  TermsOptions options;
  options.orders = {{OrderBy::kKey, true, {}, OrderProperty::kValue, 0}};
  EXPECT_EQ(shop.run(terms_agg("tag", options)), "[c=1 b=2 a=1]");
  options.orders = {{OrderBy::kMetric, false, {0}, OrderProperty::kMax, 0}};
  EXPECT_EQ(shop.run(terms_agg("tag", options, {stats_agg("n")})),
            "[c=1{1,-4,-4,-4} a=1{3,9,1,7} b=2{4,14,1,7}]");
  options.orders = {{OrderBy::kMetric, true, {0, 0}, OrderProperty::kSum, 0}};
  options.shard_size = 1;
  options.exact_limit = 0;
  const NodeBytes filter = filters_agg({Query().term("ok", "true")}, false, {stats_agg("n")});
  EXPECT_EQ(shop.run(terms_agg("tag", options, {filter})), "[a=1{[0=1{3,9,1,7}]}]+3/-1");
  options.orders = {{OrderBy::kMetric, true, {3}, OrderProperty::kSum, 0}};
  EXPECT_TRUE(starts_with(shop.run(terms_agg("tag", options, {stats_agg("n")})),
                          "illegal_argument_exception: Invalid aggregation order path"));
}

TEST(Aggs, DatesByTheClockOfAZone) {
  const Shop shop;
  RoundingSpec month;
  month.unit = 3;
  EXPECT_EQ(shop.run(date_histogram_agg("day", month)),
            "[1704067200000=1 1706745600000=1 1709251200000=1]");
  month.time_zone = "Europe/Paris";  // the first document is in February there
  EXPECT_EQ(shop.run(date_histogram_agg("day", month)), "[1706742000000=2 1709247600000=1]");
  RoundingSpec day;
  day.unit = 5;
  day.offset_ms = 3600000;
  EXPECT_EQ(shop.run(date_histogram_agg("day", day)), "[1706662800000=2 1711846800000=1]");
  EXPECT_TRUE(starts_with(shop.run(date_histogram_agg("tag", day)),
                          "illegal_argument_exception: Field [tag] of type [keyword]"));
  day.time_zone = "Mars/Olympus";
  EXPECT_TRUE(starts_with(shop.run(date_histogram_agg("day", day)), "illegal_argument_exception"));
}

TEST(Aggs, DatesByAUnitThatFits) {
  const Shop shop;
  const auto automatic = [](uint32_t buckets, uint8_t finest) {
    return AggBuilder(PlanOp::kAggAutoDateHistogram, "auto_date_histogram")
        .source("day")
        .put(buckets)
        .put(finest)
        .finish({stats_agg("n")});
  };
  EXPECT_EQ(shop.run(automatic(10, 0)),
            "[1706659200000=1{3,9,1,7} 1706745600000=1{1,5,5,5} 1711843200000=1{1,-4,-4,-4}]");
  EXPECT_EQ(shop.run(automatic(1, 0)),
            "[1704067200000=1{3,9,1,7} 1706745600000=1{1,5,5,5} 1709251200000=1{1,-4,-4,-4}]");
  EXPECT_EQ(shop.run(automatic(10, 5)), "[1704067200000=3{5,10,-4,7}]");
}

TEST(Aggs, AddressesByRange) {
  const Shop shop;
  const NodeBytes agg = AggBuilder(PlanOp::kAggRange, "ip_range")
                            .source("ip")
                            .put(uint8_t{2})
                            .put(uint32_t{3})
                            .scalar({})
                            .scalar(string_scalar("10.0.0.100"))
                            .text("")
                            .scalar(string_scalar("10.0.0.100"))
                            .scalar({})
                            .text("")
                            .scalar({})
                            .scalar({})
                            .text("10.0.0.0/25")
                            .finish();
  EXPECT_EQ(shop.run(agg), "[0=2 1=1 2=1]");
}

TEST(Aggs, BestDocumentsOfABucket) {
  const Shop shop;
  const auto top = [](const std::vector<SortKey>& keys) {
    AggBuilder builder(PlanOp::kAggTopHits, "top_hits");
    builder.put(uint32_t{1}).put(uint8_t{0}).put(static_cast<uint32_t>(keys.size()));
    for (const SortKey& key : keys) {
      builder.text(key.field).put(uint8_t{key.descending}).put(uint8_t{0}).put(uint8_t{0});
      builder.scalar({}).text("").text("").text("");
    }
    return builder.finish();
  };
  SortKey by_number;
  by_number.field = "n";
  by_number.descending = true;
  EXPECT_EQ(shop.run(terms_agg("tag", {}, {top({by_number})})), "[b=2{2: 0} a=1{1: 0} c=1{1: 2}]");
  PlanFrame frame = shop.frame(top({}));
  frame.legs[0] = Query().match("text", "hare");
  EXPECT_EQ(shop.run(frame), "2: 3");
  by_number.field = "text";
  EXPECT_TRUE(starts_with(shop.run(top({by_number})), "illegal_argument_exception: Fielddata"));
}

TEST(Aggs, Samples) {
  const Shop shop;
  const auto sampler = [](uint32_t size, bool diversified, uint32_t most) {
    AggBuilder builder(PlanOp::kAggSampler, "sampler");
    builder.put(size).put(static_cast<uint8_t>(diversified ? 1 : 0));
    if (diversified) builder.source("ok").put(most);
    return builder.finish({terms_agg("n")});
  };
  PlanFrame frame = shop.frame(sampler(2, false, 0));
  frame.legs[0] = Query().match("text", "fox");
  EXPECT_EQ(shop.run(frame), "[0=2{[1=1 5=1 7=1]}]");  // the shortest text and the one with two
  frame.aggs[0] = sampler(10, true, 1);
  EXPECT_EQ(shop.run(frame), "[0=3{[-4=1 1=1 5=1 7=1]}]");
}

TEST(Aggs, PostFilterDoesNotCount) {
  const Shop shop;
  PlanFrame frame = shop.frame(terms_agg("tag"));
  frame.post_filter = Query().term("tag", "c");
  frame.window = 5;
  EXPECT_EQ(shop.run(frame), "[b=2 a=1 c=1]");
  EXPECT_EQ(shop.index.ids(frame), "2");
  frame.post_filter.clear();
  frame.terminate_after = 1;
  EXPECT_EQ(shop.run(frame), "[a=1 b=1]");
}

TEST(Aggs, SeveralLegsCountOnce) {
  const Shop shop;
  PlanFrame frame = shop.frame(terms_agg("tag"));
  frame.legs = {Query().term("tag", "b"), Query().term("tag", "a")};
  EXPECT_EQ(shop.run(frame), "[b=2 a=1]");
}

TEST(Aggs, BackgroundOfSignificantTerms) {
  const Shop shop;
  TermsOptions options;
  options.flags = 2;
  PlanFrame frame = shop.frame(terms_agg("tag", options));
  frame.legs[0] = Query().term("tag", "a");
  const Result<ShardHits> hits = shop.index.run(frame);
  ASSERT_OK(hits);
  ByteReader reader(hits->aggs);
  reader.seek(hits->aggs.size() - 32);  // background of a and b, superset, subset
  EXPECT_EQ(reader.get<double>(), 1.0);
  EXPECT_EQ(reader.get<double>(), 2.0);
  EXPECT_EQ(reader.get<double>(), 4.0);
  EXPECT_EQ(reader.get<double>(), 1.0);
}

TEST(Aggs, AFilterSaysWhatGlobalSees) {
  const Shop shop;
  const auto run = [&shop](const NodeBytes& filter, NodeBytes child) {
    AggBuilder builder(PlanOp::kAggGlobal, "global");
    PlanFrame frame = shop.frame(builder.put(uint8_t{1}).node(filter).finish({std::move(child)}));
    frame.legs[0] = Query().match_none();
    return shop.run(frame);
  };
  EXPECT_EQ(run(Query().term("tag", "b"), stats_agg("n")), "[0=2{4,14,1,7}]");
  EXPECT_EQ(run(Query().match_all(), stats_agg("n")), "[0=4{5,10,-4,7}]");
  EXPECT_EQ(run(Query().match_none(), stats_agg("n")), "[0=0{0,0,0,0}]");
  EXPECT_EQ(run(Query().term("text", "hare"), terms_agg("tag")), "[0=2{[c=1]}]");
}

TEST(Aggs, EveryDocumentOfGlobalHasTheSameScore) {
  const Shop shop;
  const auto run = [&shop](NodeBytes child) {
    AggBuilder builder(PlanOp::kAggGlobal, "global");
    PlanFrame frame = shop.frame(builder.put(uint8_t{0}).finish({std::move(child)}));
    frame.legs[0] = Query().match("text", "hare");
    return shop.run(frame);
  };
  AggBuilder top(PlanOp::kAggTopHits, "top_hits");
  EXPECT_EQ(run(top.put(uint32_t{1}).put(uint8_t{0}).put(uint32_t{0}).finish()), "[0=4{4: 0}]");
  AggBuilder sampler(PlanOp::kAggSampler, "sampler");
  EXPECT_EQ(run(sampler.put(uint32_t{1}).put(uint8_t{0}).finish({terms_agg("tag")})),
            "[0=4{[0=1{[a=1 b=1]}]}]");
}

TEST(Aggs, AFilterSaysWhoseTermsAreShownWithoutDocuments) {
  const Shop shop;
  const auto run = [&shop](std::string_view field, const NodeBytes& filter) {
    TermsOptions options;
    options.flags = 1 | 8;
    options.min_doc_count = 0;
    options.filter = filter;
    PlanFrame frame = shop.frame(terms_agg(field, options));
    frame.legs[0] = Query().term("tag", "a");
    return shop.run(frame);
  };
  EXPECT_EQ(run("tag", Query().term("text", "fox")), "[a=1 b=1 c=0]");
  EXPECT_EQ(run("tag", Query().term("tag", "b")), "[a=1 b=1]");
  EXPECT_EQ(run("tag", Query().match_all()), "[a=1 b=1 c=0]");
  EXPECT_EQ(run("n", Query().term("tag", "b")), "[1=1 7=1 5=0]");
  EXPECT_EQ(run("n", Query().match_none()), "[1=1 7=1]");
}

/// Advances by a second at each reading.
class HastyClock final : public Clock {
 public:
  int64_t steady_ns() const override { return now_ += 1000000000; }
  int64_t wall_ms() const override { return 0; }

 private:
  mutable int64_t now_ = 0;
};

TEST(Aggs, WhatIsThereWhenTimeIsUpIsAnswered) {
  const Shop shop;
  PlanFrame frame = shop.frame(terms_agg("tag", {}, {stats_agg("n")}));
  frame.timeout_us = 4500000;
  const std::vector<uint8_t> bytes = frame.bytes();
  const Result<Plan> plan = decode_plan(bytes);
  ASSERT_OK(plan);
  const HastyClock clock;
  SearchContext context = shop.index.context();
  context.clock = &clock;
  const Result<ShardHits> hits = execute_search(context, *plan);
  ASSERT_OK(hits);
  EXPECT_TRUE(hits->timed_out);
  EXPECT_TRUE(hits->total_is_lower_bound);
  EXPECT_EQ(read_aggs(hits->aggs)[0], "[b=2{4,14,1,7} a=1{3,9,1,7}]");
}

TEST(Aggs, TooManyBucketsAreRefused) {
  const Shop shop;
  AggBuilder ranges(PlanOp::kAggRange, "range");
  ranges.source("n").put(uint8_t{0}).put(uint32_t{400000});
  for (int i = 0; i < 400000; i++) ranges.scalar({}).scalar({}).text("");
  EXPECT_TRUE(
      starts_with(shop.run(terms_agg("tag", {}, {ranges.finish()})), "too_many_buckets_exception"));
  EXPECT_TRUE(starts_with(shop.run(AggBuilder(PlanOp::kAggComposite, "composite")
                                       .put(uint32_t{65537})
                                       .put(uint32_t{1})
                                       .put(uint8_t{0})
                                       .source("tag")
                                       .put(uint8_t{0})
                                       .put(uint8_t{0})
                                       .put(uint8_t{0})
                                       .scalars({})
                                       .finish()),
                          "too_many_buckets_exception"));
}

TEST(Aggs, MemoryIsBounded) {
  AggBudget budget(1000);
  BucketArray<uint64_t> counts(budget);
  counts.reach(100);
  EXPECT_OK(budget.status());
  counts.reach(200);
  EXPECT_EQ(budget.status().type(), ErrorType::kCircuitBreaking);
}

TEST(Aggs, CutAndChangedBytesAreRefused) {
  const Shop shop;
  TermsOptions options;
  options.include = {string_scalar("a")};
  options.orders = {{OrderBy::kMetric, true, {0}, OrderProperty::kAvg, 0}};
  const NodeBytes whole =
      terms_agg("tag", options, {stats_agg("n"), filters_agg({Query().match_all()})});
  for (size_t size = 8; size < whole.size(); size++) {
    NodeBytes cut(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size));
    store(cut.data() + 4, static_cast<uint32_t>(size - 8));
    EXPECT_FALSE(shop.index.run(shop.frame(cut)).ok());
  }
  for (size_t at = 0; at < whole.size(); at++) {
    NodeBytes changed = whole;
    changed[at] ^= 0xff;
    static_cast<void>(shop.index.run(shop.frame(changed)));
  }
}

}  // namespace quarry::aggs_test
