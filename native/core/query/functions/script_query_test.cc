// The clause `script`: which documents match, what they score, on which documents the script runs.
#include <string>
#include <vector>

#include "testing/agg_builder.h"
#include "testing/agg_text.h"
#include "testing/score_nodes.h"
#include "testing/test_index.h"

namespace quarry::script_query_test {

using testing::NodeBytes;
using testing::Query;
using testing::script_query;
using testing::ScriptBytes;
using testing::TestIndex;

const Query kQuery;

/// Documents 1 .. 6 with n = 1 .. 6 and, at the end of each segment, one without n.
TestIndex make_index() {
  TestIndex index(R"({"properties":{"t":{"type":"text"},"n":{"type":"long"},"k":{"type":"keyword"},
      "in":{"type":"nested","properties":{"n":{"type":"long"}}}}})");
  for (int i = 1; i <= 6; i++) {
    const std::string n = std::to_string(i);
    index.add(n, R"({"t":"fox)" + std::string(i == 4 ? " dog" : "") + R"(","n":)" + n +
                     R"(,"k":"k)" + std::to_string(i % 2) + R"(","in":[{"n":)" + n + "}]}");
    if (i % 3 != 0) continue;
    index.add("bare" + n, R"({"t":"fox","k":"k1"})");
    index.refresh();
  }
  return index;
}

/// doc['n'].value > `least`, which fails on documents without n.
NodeBytes above(int64_t least, float boost = 1, std::string_view field = "n") {
  return script_query(ScriptBytes().value(field).whole(least).op(ScriptCode::kGreater), boost);
}
NodeBytes with_n() { return kQuery.exists("n"); }

TEST(ScriptQuery, MatchesWhereTheScriptIsTrueAndScoresTheBoost) {
  const TestIndex index = make_index();
  EXPECT_EQ(index.ids(kQuery.boolean({}, {with_n(), above(3)})), "4 5 6");
  EXPECT_EQ(index.ids(kQuery.boolean({}, {above(9), with_n()})), "");
  EXPECT_EQ(index.score(kQuery.boolean({above(5, 2.5F)}, {with_n()})), 2.5F);
}

TEST(ScriptQuery, RunsOnNoDocumentThatAnotherClauseExcludes) {
  const TestIndex index = make_index();
  const NodeBytes fox = kQuery.match("t", "fox");
  EXPECT_EQ(index.ids(kQuery.boolean({fox}, {above(4), with_n()})), "5 6");
  EXPECT_EQ(index.ids(kQuery.boolean({kQuery.match("t", "dog")}, {above(1)})), "4");
  EXPECT_EQ(index.ids(kQuery.boolean({}, {above(4), with_n()}, {fox}, {}, "1")), "5 6");
  EXPECT_EQ(index.ids(kQuery.boolean({}, {with_n()}, {}, {above(2)})), "1 2");
  EXPECT_EQ(index.ids(kQuery.boolean({}, {with_n()}, {}, {above(2), kQuery.term("n", "1")})), "2");
  const NodeBytes either =
      kQuery.boolean({}, {}, {above(5), kQuery.term("n", "2"), above(8)}, {}, "1");
  EXPECT_EQ(index.ids(kQuery.boolean({}, {with_n(), either})), "2 6");
  const NodeBytes most = kQuery.dis_max({above(5), kQuery.term("n", "2"), above(8)}, 0.5F);
  EXPECT_EQ(index.ids(kQuery.boolean({most}, {with_n()})), "2 6");
  EXPECT_EQ(index.ids(kQuery.boolean({with_n()}, {}, {above(9)})), "1 2 3 4 5 6");
  EXPECT_EQ(index.ids(kQuery.boosting(with_n(), above(9), 0.5F)), "1 2 3 4 5 6");
  EXPECT_EQ(index.ids(testing::function_score(with_n(), {testing::weight_function(2, above(9))})),
            "1 2 3 4 5 6");
  const NodeBytes two =
      kQuery.boolean({}, {}, {above(3), above(4), kQuery.term("n", "6")}, {}, "2");
  EXPECT_EQ(index.ids(kQuery.boolean({}, {with_n(), two})), "5 6");
}

TEST(ScriptQuery, FiltersOfAggregationsRunItOnTheirDocuments) {
  const TestIndex index = make_index();
  const NodeBytes agg = testing::filters_agg({above(3), above(9)}, true);
  testing::PlanFrame frame;
  frame.legs.push_back(with_n());
  frame.aggs = {agg, testing::terms_agg("k", {}, {agg})};
  frame.window = 0;
  const Result<ShardHits> hits = index.run(frame);
  ASSERT_OK(hits);
  const std::vector<std::string> found = testing::read_aggs(hits->aggs);
  EXPECT_EQ(found[0], "[0=3 1=0 2=3]");
  EXPECT_EQ(found[1], "[k0=3{[0=2 1=0 2=1]} k1=3{[0=1 1=0 2=2]}]");
}

TEST(ScriptQuery, OptionalScriptsAddTheirScore) {
  const TestIndex index = make_index();
  const NodeBytes query =
      kQuery.boolean({}, {with_n()}, {above(4, 2), above(5, 3), kQuery.term("n", "1")});
  EXPECT_EQ(index.ids(query), "6 5 1 2 3 4");
  EXPECT_EQ(index.score(query), 5.0F);
}

TEST(ScriptQuery, FailsWhereTheScriptDoes) {
  EXPECT_TRUE(make_index().error(above(3)).find("A document doesn't have a value") !=
              std::string::npos);
  const NodeBytes number = script_query(ScriptBytes().whole(3));
  EXPECT_TRUE(make_index().error(number).find("a [script] query needs a boolean") !=
              std::string::npos);
  const NodeBytes score = script_query(ScriptBytes().op(ScriptCode::kScore));
  EXPECT_TRUE(make_index().error(score).find("[_score] is not known") != std::string::npos);
}

TEST(ScriptQuery, DoesNotRunOnDeletedDocuments) {
  TestIndex index = make_index();
  index.remove("bare3");
  index.remove("bare6");
  index.remove("5");
  EXPECT_EQ(index.ids(above(3)), "4 6");
}

TEST(ScriptQuery, RunsOnNestedDocuments) {
  EXPECT_EQ(make_index().ids(kQuery.nested("in", above(4, 1, "in.n"))), "5 6");
}

}  // namespace quarry::script_query_test
