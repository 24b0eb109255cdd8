// Scores do not depend on shards or segments; similarities; blended statistics; the filter cache.
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "query/cache/filter_cache.h"
#include "testing/test_index.h"

namespace quarry::statistics_test {

using testing::NodeBytes;
using testing::PlanFrame;
using testing::Query;
using testing::TestIndex;

constexpr std::string_view kTexts[] = {"quick fox", "lazy dog",      "quick quick dog jumps",
                                       "fox",       "brown fox dog", "a b"};

/// The same documents in one shard, or distributed over two with small segments.
void fill(TestIndex& index, bool spread) {
  int i = 0;
  for (const std::string_view text : kTexts) {
    index.add(std::to_string(i), "{\"t\":\"" + std::string(text) + "\",\"k\":\"" +
                                     std::string(text.substr(0, 1)) + "\"}");
    if (spread) index.refresh();
    if (spread && i == 2) index.start_shard();
    i++;
  }
  index.refresh();
}

TEST(Statistics, ShardsScoreAsOneIndex) {
  TestIndex one;
  TestIndex two;
  fill(one, false);
  fill(two, true);
  MatchOptions fuzzy;
  fuzzy.fuzziness = "1";
  for (const NodeBytes& query :
       {Query().term("t", "quick"), Query().match("t", "quick dog"),
        Query().match_phrase("t", "quick fox"), Query().term("k.keyword", "q"),
        Query().match("t", "fix", fuzzy), Query().match_phrase_prefix("t", "brown f")}) {
    PlanFrame frame;
    frame.legs.push_back(query);
    const Result<ShardHits> whole = one.run(frame);
    ASSERT_OK(whole);
    std::map<std::string, float> expected;
    for (size_t i = 0; i < whole->legs[0].docs.size(); i++) {
      expected[one.id(whole->legs[0].docs[i])] = whole->legs[0].scores[i];
    }
    std::map<std::string, float> found;
    for (size_t shard = 0; shard < 2; shard++) {
      const Result<ShardHits> part = two.run(frame, shard);
      ASSERT_OK(part);
      for (size_t i = 0; i < part->legs[0].docs.size(); i++) {
        found[two.id(part->legs[0].docs[i], shard)] = part->legs[0].scores[i];
      }
    }
    EXPECT_TRUE(found == expected);
    EXPECT_FALSE(found.empty());
  }
}

TEST(Statistics, AnOlderViewOfAShardThatHasMergedSinceIsSearchedToItsLastSegment) {
  TestIndex index;
  fill(index, true);
  SearchContext context = index.context(0);
  context.all_shards = context.all_shards.subspan(1);  // none of the segments under search
  context.filters = nullptr;
  PlanFrame frame;
  frame.legs.push_back(Query().term("t", "quick"));
  const std::vector<uint8_t> bytes = frame.bytes();
  const Result<Plan> plan = decode_plan(bytes);
  ASSERT_OK(plan);
  const Result<ShardHits> hits = execute_search(context, *plan);
  ASSERT_OK(hits);
  EXPECT_EQ(hits->legs[0].docs.size(), 2U);
}

TEST(Statistics, ASingleValuedKeywordScoresItsIdf) {
  TestIndex index;
  fill(index, false);
  // 6 documents, one with "l".
  EXPECT_NEAR(index.score(Query().term("k.keyword", "l")), std::log(1 + 5.5 / 1.5), 1e-6);
}

TEST(Statistics, BooleansScoreAsKeywordsWithoutNorms) {
  TestIndex index(
      R"({"properties":{"b":{"type":"boolean"},"c":{"type":"boolean","index":false}}})");
  index.add("1", R"({"b":true,"c":true})");
  index.add("2", R"({"b":false})");
  index.refresh();
  index.start_shard();
  index.add("3", R"({"b":[true,false,true]})");
  index.add("4", R"({"b":false})");
  index.add("5", R"({"n":1})");
  index.refresh();
  // As in Elasticsearch: five terms in four documents.
  EXPECT_NEAR(index.score(Query().term("b", "true")), 0.7549127, 1e-6);
  EXPECT_NEAR(index.score(Query(2).term("b", "true")), 1.5098253, 1e-6);
  EXPECT_NEAR(index.score(Query().match("b", "false")), 0.38845783, 1e-6);
  EXPECT_EQ(index.score(Query().term("c", "true")), 1.0F);
  EXPECT_EQ(index.score(Query().terms("b", {"true"})), 1.0F);
  EXPECT_EQ(index.score(Query().constant_score(Query().term("b", "true"))), 1.0F);
}

TEST(Statistics, BooleansAreCountedOnceWhereThereIsACache) {
  TestIndex index(R"({"properties":{"b":{"type":"boolean"}}})");
  for (int i = 0; i < 5000; i++)
    index.add("d" + std::to_string(i), i % 5 == 0 ? R"({"b":true})" : R"({"b":false})");
  index.refresh();
  const float score = index.score(Query().term("b", "true"));
  EXPECT_NEAR(score, std::log(1 + 4000.5 / 1000.5), 1e-5);
  FilterCache cache(1 << 20);
  index.use_cache(&cache);
  for (int i = 0; i < 3; i++) EXPECT_EQ(index.score(Query().term("b", "true")), score);
  EXPECT_GT(cache.bytes(), 0);
}

TEST(Statistics, WildcardsAreKeptWhereTheyScore) {
  TestIndex index(R"({"properties":{"k":{"type":"keyword"}}})");
  for (int i = 0; i < 5000; i++)
    index.add("d" + std::to_string(i), R"({"k":"w)" + std::to_string(i) + "\"}");
  index.refresh();
  const auto query = Query(3).wildcard("k", "*99*9");
  const std::string found = index.ids(query);
  FilterCache cache(1 << 20);
  index.use_cache(&cache);
  for (int i = 0; i < 4; i++) {
    EXPECT_EQ(index.ids(query), found);
    EXPECT_EQ(index.score(query), 3.0F);
  }
  EXPECT_GT(cache.hits(), 0);
  EXPECT_EQ(index.score(Query(0.5F).wildcard("k", "*99*9")), 0.5F);
}

TEST(Statistics, SimilaritiesOfTheMapping) {
  TestIndex index(R"({"properties":{"b":{"type":"text","similarity":"boolean"},
                     "flat":{"type":"text","similarity":"mine"},"plain":{"type":"text","norms":false}}})",
                  R"({"similarity":{"mine":{"type":"BM25","k1":0,"b":0}}})");
  index.add("1", R"({"b":"x x y","flat":"x x y","plain":"x y z"})");
  index.add("2", R"({"b":"y","flat":"y","plain":"x"})");
  index.refresh();
  EXPECT_EQ(index.score(Query(3).term("b", "x")), 3.0F);
  EXPECT_NEAR(index.score(Query().term("flat", "x")), std::log(2.0), 1e-6);
  const Result<ShardHits> plain = index.run(Query().term("plain", "x"));
  ASSERT_OK(plain);
  EXPECT_EQ(plain->legs[0].scores[0], plain->legs[0].scores[1]);
}

TEST(Statistics, CrossFieldsBlendsFrequencies) {
  TestIndex index(R"({"properties":{"first":{"type":"text"},"last":{"type":"text"}}})");
  for (int i = 0; i < 8; i++)
    index.add("p" + std::to_string(i), R"({"first":"paul","last":"smith"})");
  index.add("x", R"({"first":"paul","last":"simon"})");
  index.add("y", R"({"first":"simon","last":"paul"})");
  index.refresh();
  MatchOptions all;
  all.operator_and = true;
  PlanFrame frame;
  frame.legs.push_back(Query().multi_match({{"first", 1.0F}, {"last", 1.0F}}, "paul simon",
                                           MultiMatchType::kCrossFields, all));
  const Result<ShardHits> hits = index.run(frame);
  ASSERT_OK(hits);
  ASSERT_EQ(hits->legs[0].docs.size(), 2);
  // "paul" as a last name is rare, but has blended statistics with the first name: the two scores
  // are nearly equal.
  EXPECT_NEAR(hits->legs[0].scores[0], hits->legs[0].scores[1], 0.2);
}

TEST(Statistics, SynonymsScoreAsOneTerm) {
  TestIndex index(
      R"({"properties":{"t":{"type":"text","analyzer":"standard","search_analyzer":"syn"}}})",
      R"({"analysis":{"filter":{"s":{"type":"synonym","synonyms":["fox,vixen"]}},
                     "analyzer":{"syn":{"type":"custom","tokenizer":"standard","filter":["lowercase","s"]}}}})");
  index.add("1", R"({"t":"fox runs"})");
  index.add("2", R"({"t":"vixen runs"})");
  index.add("3", R"({"t":"fox vixen"})");
  index.add("4", R"({"t":"nothing"})");
  index.refresh();
  const Result<ShardHits> hits = index.run(Query().match("t", "fox"));
  ASSERT_OK(hits);
  ASSERT_EQ(hits->legs[0].docs.size(), 3);
  EXPECT_EQ(index.id(hits->legs[0].docs[0]), "3");
  EXPECT_EQ(hits->legs[0].scores[1], hits->legs[0].scores[2]);
  EXPECT_EQ(index.ids(Query().match_phrase("t", "vixen runs")), "1 2");
}

TEST(FilterCache, AdmitsOnTheSecondUseAndAnswersFromThenOn) {
  TestIndex index(R"({"properties":{"n":{"type":"long"},"t":{"type":"text"}}})");
  for (int i = 0; i < 6000; i++) {
    index.add(std::to_string(i), "{\"n\":" + std::to_string(i * 7919 % 6000) + ",\"t\":\"x\"}");
  }
  index.refresh();
  FilterCache cache(1 << 20);
  index.use_cache(&cache);
  const NodeBytes query =
      Query().boolean({}, {Query().range("n", 1 | 8, {"10", "5000"}), Query().exists("t")},
                      {Query().term("t", "x")});
  const std::string first = index.ids(query);
  EXPECT_EQ(cache.hits(), 0);
  EXPECT_EQ(index.ids(query), first);
  EXPECT_EQ(index.ids(query), first);
  EXPECT_GT(cache.hits(), 0);
  EXPECT_GT(cache.bytes(), 0);
  const uint64_t hits = cache.hits();
  const NodeBytes relative = Query().boolean({}, {Query().range("_doc_date", 8, {"now"})});
  static_cast<void>(index.ids(relative));
  EXPECT_EQ(cache.hits(), hits);
  FilterCache tiny(10);
  index.use_cache(&tiny);
  for (int i = 0; i < 3; i++) EXPECT_EQ(index.ids(query), first);
  EXPECT_LE(tiny.bytes(), 10);
}

}  // namespace quarry::statistics_test
