// Every clause with a small index: the matches and their order.
#include "query/plan/search.h"

#include "query/plan/clause_limit.h"
#include "testing/test_index.h"

namespace quarry::search_test {

using testing::NodeBytes;
using testing::PlanFrame;
using testing::Query;
using testing::TestIndex;

constexpr std::string_view kMapping = R"({"properties":{
  "title":{"type":"text","fields":{"raw":{"type":"keyword"}}},
  "tag":{"type":"keyword"},
  "year":{"type":"integer"},
  "price":{"type":"double"},
  "seen":{"type":"boolean"},
  "when":{"type":"date"},
  "from":{"type":"ip"},
  "meta":{"type":"flattened"},
  "hidden":{"type":"text","index":false},
  "also":{"type":"alias","path":"tag"}}})";

/// Two segments, one deleted document.
struct Films {
  TestIndex index{kMapping};

  Films() {
    index.add(
        "1",
        R"({"title":"The quick brown fox","tag":["a","red"],"year":1999,"price":1.5,"seen":true,
                       "when":"2024-01-15","from":"10.0.0.1","meta":{"k":"x","n":{"m":"y"}}})");
    index.add("2", R"({"title":"quick quick fox jumps","tag":"b","year":2001,"price":2,"seen":false,
                       "when":"2024-02-01T10:00:00Z","from":"10.0.1.7"})");
    index.add(
        "3",
        R"({"title":"lazy dog","tag":"A","year":[1990,2010],"when":"2023-12-31T23:59:59.999Z"})");
    index.refresh();
    index.add("4", R"({"title":"fox","tag":"red","year":2005,"meta":{"k":"z"}})");
    index.add("5", R"({"title":"brown quick dog","tag":[],"price":-3.25,"hidden":"secret"})");
    index.add("6", R"({"title":"fox fox fox","tag":"deleted"})");
    index.refresh();
    index.remove("6");
  }
};

TEST(Search, MatchAllNoneAndIds) {
  const Films films;
  EXPECT_EQ(films.index.ids(Query().match_all()), "1 2 3 4 5");
  EXPECT_EQ(films.index.ids(Query().match_none()), "");
  EXPECT_EQ(films.index.ids(Query().ids({"4", "2", "6", "nope", "2"})), "2 4");
  EXPECT_EQ(films.index.ids(Query().term("_id", "3")), "3");
  EXPECT_EQ(films.index.ids(Query().terms("_id", {"3", "1"})), "1 3");
  EXPECT_EQ(films.index.score(Query(2.5F).match_all()), 2.5F);
}

TEST(Search, TermsOfEachType) {
  const Films films;
  const TestIndex& index = films.index;
  EXPECT_EQ(index.ids(Query().term("title", "fox")), "4 1 2");
  EXPECT_EQ(index.ids(Query().term("title", "Fox")), "");
  EXPECT_EQ(index.ids(Query().term("tag", "red")), "1 4");
  EXPECT_EQ(index.ids(Query().term("also", "red")), "1 4");
  EXPECT_EQ(index.ids(Query().term("tag", "a", true)), "1 3");
  EXPECT_EQ(index.ids(Query().term("year", "2010")), "3");
  EXPECT_EQ(index.ids(Query().term("year", "2010.5")), "");
  EXPECT_EQ(index.ids(Query().term("price", "2.0")), "2");
  EXPECT_EQ(index.ids(Query().term("seen", "true")), "1");
  EXPECT_EQ(index.ids(Query().term("when", "2024-01-15")), "1");
  EXPECT_EQ(index.ids(Query().term("from", "10.0.0.0/16")), "1 2");
  EXPECT_EQ(index.ids(Query().term("meta", "x")), "1");
  EXPECT_EQ(index.ids(Query().term("meta.n.m", "y")), "1");
  EXPECT_EQ(index.ids(Query().term("meta.k", "y")), "");
  EXPECT_EQ(index.ids(Query().term("_index", "films")), "1 2 3 4 5");
  EXPECT_EQ(index.ids(Query().term("unknown", "x")), "");
}

TEST(Search, TermsLists) {
  const Films films;
  EXPECT_EQ(films.index.ids(Query().terms("tag", {"red", "b", "zzz"})), "1 2 4");
  EXPECT_EQ(films.index.ids(Query().terms("year", {"1999", "2010", "7"})), "1 3");
  EXPECT_EQ(films.index.ids(Query().terms("from", {"10.0.0.1", "11.0.0.0/8"})), "1");
  EXPECT_EQ(films.index.ids(Query().terms("title", {"dog", "fox"})), "1 2 3 4 5");
  EXPECT_EQ(films.index.score(Query().terms("title", {"dog", "fox"})), 1.0F);
}

TEST(Search, Ranges) {
  const Films films;
  const TestIndex& index = films.index;
  EXPECT_EQ(index.ids(Query().range("year", 1, {"2001"})), "2 3 4");
  EXPECT_EQ(index.ids(Query().range("year", 2 | 8, {"1990", "2001"})), "1");
  EXPECT_EQ(index.ids(Query().range("year", 1 | 4, {"1998.5", "2001.9"})), "1 2");
  EXPECT_EQ(index.ids(Query().range("price", 4, {"1.5"})), "1 5");
  EXPECT_EQ(index.ids(Query().range("when", 1 | 8, {"2024-01-01", "2024-02-01"})), "1");
  EXPECT_EQ(index.ids(Query().range("when", 4, {"2024-02-01"})), "1 2 3");
  EXPECT_EQ(index.ids(Query().range("when", 1, {"2024-01-15||/M"})), "1 2");
  EXPECT_EQ(index.ids(Query().range("when", 4, {"31/12/2023"}, "dd/MM/yyyy")), "3");
  EXPECT_EQ(index.ids(Query().range("when", 8, {"now-100y"})), "");
  EXPECT_EQ(index.ids(Query().range("tag", 1 | 8, {"a", "c"})), "1 2");
  EXPECT_EQ(index.ids(Query().range("from", 2, {"10.0.0.1"})), "2");
  EXPECT_EQ(index.ids(Query().range("meta.k", 1, {"y"})), "4");
  EXPECT_EQ(index.ids(Query().range("title", 1, {"quick"})), "1 2 5");
}

TEST(Search, Exists) {
  const Films films;
  EXPECT_EQ(films.index.ids(Query().exists("tag")), "1 2 3 4");
  EXPECT_EQ(films.index.ids(Query().exists("price")), "1 2 5");
  EXPECT_EQ(films.index.ids(Query().exists("title")), "1 2 3 4 5");
  EXPECT_EQ(films.index.ids(Query().exists("meta")), "1 4");
  EXPECT_EQ(films.index.ids(Query().exists("meta.n.m")), "1");
  EXPECT_EQ(films.index.ids(Query().exists("se*")), "1 2");
  EXPECT_EQ(films.index.ids(Query().exists("nothing")), "");
  EXPECT_EQ(films.index.ids(Query().exists("_id")), "1 2 3 4 5");
  EXPECT_EQ(films.index.ids(Query().exists("_version")), "1 2 3 4 5");
  EXPECT_EQ(films.index.error(Query().exists("_source")),
            "query_shard_exception: The _source field is not searchable");
}

TEST(Search, Patterns) {
  const Films films;
  const TestIndex& index = films.index;
  EXPECT_EQ(index.ids(Query().prefix("title", "qu")), "1 2 5");
  EXPECT_EQ(index.ids(Query().prefix("tag", "R", true)), "1 4");
  EXPECT_EQ(index.ids(Query().prefix("meta.k", "z")), "4");
  EXPECT_EQ(index.ids(Query().wildcard("title", "f?x")), "1 2 4");
  EXPECT_EQ(index.ids(Query().wildcard("title", "*o*")), "1 2 3 4 5");
  EXPECT_EQ(index.ids(Query().wildcard("title.raw", "THE*FOX", true)), "1");
  EXPECT_EQ(index.ids(Query().wildcard("tag", "re\\d")), "1 4");
  EXPECT_EQ(index.ids(Query().regexp("title", "(la|cra)zy|jump.*")), "2 3");
  EXPECT_EQ(index.ids(Query().regexp("title", "f[ou]x&~(fux)")), "1 2 4");
  EXPECT_EQ(index.ids(Query().fuzzy("title", "fxo", "1")), "4 1 2");
  EXPECT_EQ(index.ids(Query().fuzzy("title", "quikc")), "2 5 1");
  EXPECT_EQ(index.ids(Query().wildcard("_index", "fi*")), "1 2 3 4 5");
  EXPECT_EQ(index.ids(Query().prefix("_index", "x")), "");
}

TEST(Search, MatchAndPhrases) {
  const Films films;
  const TestIndex& index = films.index;
  MatchOptions both;
  both.operator_and = true;
  EXPECT_EQ(index.ids(Query().match("title", "Quick FOX", both)), "2 1");
  EXPECT_EQ(index.ids(Query().match("title", "quick dog")), "5 3 2 1");
  MatchOptions two;
  two.minimum_should_match = "2";
  EXPECT_EQ(index.ids(Query().match("title", "quick brown dog", two)), "5 1");
  EXPECT_EQ(index.ids(Query().match("title", "...")), "");
  MatchOptions all;
  all.zero_terms_all = true;
  EXPECT_EQ(index.ids(Query().match("title", "...", all)), "1 2 3 4 5");
  MatchOptions fuzzy;
  fuzzy.fuzziness = "AUTO";
  EXPECT_EQ(index.ids(Query().match("title", "qwick lasy", fuzzy)), "3 2 5 1");
  EXPECT_EQ(index.ids(Query().match("year", "2001")), "2");
  EXPECT_EQ(index.ids(Query().match("tag", "red")), "1 4");
  EXPECT_EQ(index.ids(Query().match_phrase("title", "quick fox")), "2");
  EXPECT_EQ(index.ids(Query().match_phrase("title", "quick fox", 1)), "2 1");
  EXPECT_EQ(index.ids(Query().match_phrase("title", "fox quick", 3)), "2 1");
  EXPECT_EQ(index.ids(Query().match_phrase("title", "fox")), "4 1 2");
  EXPECT_EQ(index.ids(Query().match_phrase_prefix("title", "quick fo")), "2");
  EXPECT_EQ(index.ids(Query().match_phrase_prefix("title", "br")), "5 1");
  EXPECT_EQ(index.ids(Query().match_bool_prefix("title", "lazy qu")), "3 1 2 5");
}

TEST(Search, MultiMatch) {
  const Films films;
  const TestIndex& index = films.index;
  EXPECT_EQ(index.ids(Query().multi_match({{"title", 1.0F}, {"tag", 1.0F}}, "red dog")), "3 5");
  EXPECT_EQ(index.ids(Query().multi_match({{"t*", 1.0F}}, "red", MultiMatchType::kMostFields)),
            "1 4");
  EXPECT_EQ(index.ids(Query().multi_match({}, "lazy")), "3");
  EXPECT_EQ(
      index.ids(Query().multi_match({{"title", 1.0F}, {"hidden", 1.0F}}, "brown quick",
                                    MultiMatchType::kPhrase)),
      "error: failed to create query: Cannot search on field [hidden] since it is not indexed.");
  EXPECT_EQ(index.ids(Query().multi_match({{"title", 3.0F}, {"tag", 1.0F}}, "fox",
                                          MultiMatchType::kCrossFields)),
            "4 1 2");
  EXPECT_EQ(index.ids(Query().multi_match({{"nope", 1.0F}}, "fox")), "");
}

TEST(Search, BoolAndItsRelatives) {
  const Films films;
  const TestIndex& index = films.index;
  const NodeBytes fox = Query().term("title", "fox");
  const NodeBytes quick = Query().term("title", "quick");
  const NodeBytes dog = Query().term("title", "dog");
  EXPECT_EQ(index.ids(Query().boolean({fox, quick})), "2 1");
  EXPECT_EQ(index.ids(Query().boolean({}, {fox}, {}, {quick})), "4");
  EXPECT_EQ(index.score(Query().boolean({}, {fox})), 0.0F);
  EXPECT_EQ(index.ids(Query().boolean({}, {}, {}, {fox})), "3 5");
  EXPECT_EQ(index.score(Query().boolean({}, {}, {}, {fox})), 0.0F);
  EXPECT_EQ(index.ids(Query().boolean({}, {}, {fox, quick, dog}, {}, "2")), "5 2 1");
  EXPECT_EQ(index.ids(Query().boolean({quick}, {}, {dog})), "5 2 1");
  EXPECT_EQ(index.ids(Query().boolean({quick}, {}, {dog}, {}, "1")), "5");
  EXPECT_EQ(index.ids(Query().boolean({}, {quick}, {dog})), "5 1 2");
  EXPECT_EQ(index.ids(Query().boolean({})), "1 2 3 4 5");
  EXPECT_EQ(index.ids(Query().boolean({Query().term("title", "nothing")}, {}, {fox})), "");
  EXPECT_EQ(index.ids(Query().constant_score(fox)), "1 2 4");
  EXPECT_EQ(index.score(Query(3).constant_score(fox)), 3.0F);
  EXPECT_EQ(index.ids(Query().dis_max({fox, dog})), "3 5 4 1 2");
  EXPECT_EQ(index.ids(Query().boosting(quick, Query().term("tag", "b"), 0.1F)), "5 1 2");
}

TEST(Search, Refusals) {
  const Films films;
  const TestIndex& index = films.index;
  EXPECT_EQ(index.error(Query().term("hidden", "secret")),
            "query_shard_exception: failed to create query: Cannot search on field [hidden] since "
            "it is not indexed.");
  EXPECT_EQ(index.error(Query().term("year", "abc")),
            "query_shard_exception: failed to create query: For input string: \"abc\"");
  EXPECT_EQ(index.error(Query().prefix("year", "1")),
            "query_shard_exception: Can only use prefix queries on keyword, text and wildcard "
            "fields - not on [year] "
            "which is of type [integer]");
  EXPECT_EQ(index.error(Query().fuzzy("year", "1")),
            "query_shard_exception: failed to create query: Can only use fuzzy queries on keyword "
            "and text fields - "
            "not on [year] which is of type [integer]");
  EXPECT_EQ(index.error(Query().regexp("title", "a(b")),
            "query_shard_exception: failed to create query: expected ')' at position 3");
  EXPECT_EQ(
      index.error(Query().wildcard("title", std::string(1001, 'a'))),
      "query_shard_exception: failed to create query: The length of pattern [1001] used in the "
      "Wildcard Query request has exceeded the allowed maximum of [1000]");
  EXPECT_EQ(
      index.error(Query().regexp("title", std::string(10'001, 'a'))),
      "query_shard_exception: failed to create query: The length of pattern [10001] used in the "
      "Regexp Query request has exceeded the allowed maximum of [10000]");
  EXPECT_EQ(index.error(Query(-1).match_all()),
            "query_shard_exception: failed to create query: negative [boost] are not allowed in "
            "[match_all], use a "
            "value between 0 and 1 to deboost");
  EXPECT_EQ(
      index.error(Query().boolean(
          {}, {}, std::vector<NodeBytes>(max_clauses() + 1, Query().term("tag", "x")))),
      "too_many_nested_clauses: Query contains too many nested clauses; maxClauseCount is set to " +
          std::to_string(max_clauses()));
  MatchOptions lenient;
  lenient.lenient = true;
  EXPECT_EQ(index.error(Query().match("year", "abc", lenient)), "");
  MatchOptions analyzer;
  analyzer.analyzer = "nope";
  EXPECT_EQ(index.error(Query().match("title", "x", analyzer)),
            "query_shard_exception: [match] analyzer [nope] not found");
}

TEST(Search, DepthIsLimited) {
  const Films films;
  NodeBytes deep = Query().match_all();
  for (int i = 0; i < 62; i++) deep = Query().boolean({deep});
  EXPECT_EQ(films.index.ids(deep), "1 2 3 4 5");
  for (int i = 0; i < 3; i++) deep = Query().boolean({deep});
  EXPECT_EQ(films.index.error(deep),
            "query_shard_exception: failed to create query: The nested depth of the query exceeds "
            "the maximum nested "
            "depth for queries set in [indices.query.bool.max_nested_depth]");
}

}  // namespace quarry::search_test
