// Terms of patterns score like a bool of these terms, whatever the segments and shards.
#include "query/clauses/scored_terms.h"

#include "query/cache/filter_cache.h"
#include "query/plan/clause_limit.h"
#include "testing/test_index.h"

namespace quarry::scored_terms_test {

using testing::NodeBytes;
using testing::Query;
using testing::raw_node;
using testing::TestIndex;

NodeBytes scored(TermScoring scoring, uint32_t most, const NodeBytes& pattern, float boost = 1) {
  ByteWriter out;
  out.put(boost);
  out.put_string("");
  out.put(scoring);
  out.put(most);
  out.put_bytes(Bytes(pattern));
  return raw_node(PlanOp::kScoredTerms, out);
}

struct Words {
  TestIndex index{R"({"properties":{"t":{"type":"text"},"k":{"type":"keyword"}}})"};
  Words() {
    index.add("1", R"({"t":"apple apple avocado","k":"apple"})");
    index.add("2", R"({"t":"avocado banana cherry cherry"})");
    index.refresh();
    index.add("3", R"({"t":"apricot avocado apple","k":"apricot"})");
    index.add("4", R"({"t":"zucchini"})");
    index.refresh();
    index.start_shard();
    index.add("5", R"({"t":"acorn apple"})");
    index.refresh();
  }
  /// The ids and scores of the first shard.
  std::string hits(const NodeBytes& query) const {
    const Result<ShardHits> found = index.run(query);
    if (!found.ok()) return "error: " + found.status().reason();
    std::string out;
    for (size_t i = 0; i < found->legs[0].docs.size(); i++) {
      out +=
          index.id(found->legs[0].docs[i]) + ":" + std::to_string(found->legs[0].scores[i]) + " ";
    }
    return out;
  }
};

std::vector<NodeBytes> constants(const std::vector<std::string_view>& terms, float boost) {
  std::vector<NodeBytes> out;
  for (const std::string_view term : terms)
    out.push_back(Query(boost).constant_score(Query().term("t", term)));
  return out;
}

std::vector<NodeBytes> plain(const std::vector<std::string_view>& terms) {
  std::vector<NodeBytes> out;
  for (const std::string_view term : terms) out.push_back(Query().term("t", term));
  return out;
}

TEST(ScoredTerms, BoostsAreAddedForEachOfTheFirstTerms) {
  const Words words;
  const NodeBytes prefix = Query().prefix("t", "a");
  EXPECT_EQ(
      words.hits(scored(TermScoring::kBoost, 10, prefix, 2)),
      words.hits(Query().boolean({}, {}, constants({"acorn", "apple", "apricot", "avocado"}, 2))));
  // The first two are acorn, which only the other shard has, and apple.
  EXPECT_EQ(words.hits(scored(TermScoring::kBoost, 2, prefix)), "1:1.000000 3:1.000000 ");
  EXPECT_EQ(words.hits(scored(TermScoring::kBoost, 1, prefix)), "");
  EXPECT_EQ(words.hits(scored(TermScoring::kBoost, 3, Query().wildcard("t", "*o"))),
            "1:1.000000 2:1.000000 3:1.000000 ");
}

TEST(ScoredTerms, EveryTermIsScoredWithItsOwnFrequency) {
  const Words words;
  for (const NodeBytes& pattern :
       {Query().prefix("t", "ap"), Query().wildcard("t", "ap*"), Query().regexp("t", "ap.*")}) {
    EXPECT_EQ(words.hits(scored(TermScoring::kOwn, 0, pattern)),
              words.hits(Query().boolean({}, {}, plain({"apple", "apricot"}))));
    EXPECT_EQ(words.hits(scored(TermScoring::kOwn, 1, pattern)),
              words.hits(Query().term("t", "apple")));
  }
}

TEST(ScoredTerms, BlendedTermsAreAsFrequentAsTheMostFrequentOne) {
  const Words words;
  const float own = words.index.score(scored(TermScoring::kOwn, 0, Query().prefix("t", "c")));
  EXPECT_EQ(own, words.index.score(scored(TermScoring::kBlended, 0, Query().prefix("t", "c"))));
  const NodeBytes pair = Query().regexp("t", "apple|cherry");
  EXPECT_NE(words.hits(scored(TermScoring::kOwn, 0, pair)),
            words.hits(scored(TermScoring::kBlended, 0, pair)));
}

TEST(ScoredTerms, FuzzyTermsScoreTheirOwnFrequencyOrTheirBoost) {
  const Words words;
  const NodeBytes fuzzy = Query().fuzzy("t", "appla", "1");
  EXPECT_EQ(words.hits(scored(TermScoring::kBoost, 0, fuzzy)), "1:0.800000 3:0.800000 ");
  EXPECT_EQ(words.hits(scored(TermScoring::kOwn, 0, fuzzy)),
            words.hits(Query(0.8F).term("t", "apple")));
  EXPECT_EQ(words.hits(scored(TermScoring::kBlended, 0, fuzzy)), words.hits(fuzzy));
}

TEST(ScoredTerms, TermsThatAFuzzyStringLeadsToCountAsClauses) {
  TestIndex index{R"({"properties":{"t":{"type":"text"}}})"};
  index.add("1", R"({"t":"abcd abce abcf xyzzy"})");
  index.refresh();
  MatchOptions lenient;
  lenient.fuzziness = "1";
  lenient.lenient = true;
  const uint32_t before = max_clauses();
  set_max_clauses(4);
  const std::string refused =
      "too_many_nested_clauses: Query contains too many nested clauses; maxClauseCount is set to 4";
  const NodeBytes three = Query().fuzzy("t", "abc", "1");
  EXPECT_EQ(index.error(three), "");
  EXPECT_EQ(index.error(Query().boolean({}, {}, {three, three})), refused);
  EXPECT_EQ(index.error(Query().match("t", "abc", lenient)), "");
  EXPECT_EQ(index.error(Query().match("t", "abc abce", lenient)), refused);
  set_max_clauses(before);
}

TEST(ScoredTerms, ExpansionsOfFuzzyAreTheMostSimilarTerms) {
  TestIndex index(R"({"properties":{"k":{"type":"keyword"}}})");
  int id = 0;
  for (const char* term : {"", "a", "aa", "ab", "b1", "z"})
    index.add(std::to_string(id++), R"({"k":")" + std::string(term) + "\"}");
  index.refresh();
  EXPECT_EQ(index.ids(Query().fuzzy("k", "z", "2", 3)), "5 1 2");
  EXPECT_EQ(index.ids(Query().fuzzy("k", "b", "2", 3)), "1 3 4");
  EXPECT_EQ(index.ids(Query().fuzzy("k", "z", "2", 6)), "5 0 1 2 3 4");
}

TEST(ScoredTerms, NothingMatchesWhereNoTermDoes) {
  const Words words;
  EXPECT_EQ(words.hits(scored(TermScoring::kOwn, 5, Query().prefix("t", "x"))), "");
  EXPECT_EQ(words.hits(scored(TermScoring::kOwn, 5, Query().prefix("none", "a"))), "");
  EXPECT_EQ(words.hits(scored(TermScoring::kBoost, 5, Query().prefix("_index", "fi"))),
            words.hits(Query().match_all()));
}

TEST(ScoredTerms, ACacheOfFiltersDoesNotKeepTheFirstTermsOfOtherSegments) {
  Words words;
  FilterCache cache(size_t{1} << 20);
  words.index.use_cache(&cache);
  const NodeBytes filter =
      Query().constant_score(scored(TermScoring::kBoost, 2, Query().prefix("t", "a")));
  for (int time = 0; time < 4; time++) EXPECT_EQ(words.hits(filter), "1:1.000000 3:1.000000 ");
  words.index.start_shard();
  words.index.add("6", R"({"t":"aa ab"})");
  words.index.refresh();
  EXPECT_EQ(words.hits(filter), "");
}

TEST(ScoredTerms, MalformedNodesAreRefused) {
  const Words words;
  for (const NodeBytes& wrong : {scored(static_cast<TermScoring>(3), 1, Query().prefix("t", "a")),
                                 scored(TermScoring::kOwn, 1, Query(-1).prefix("t", "a")),
                                 scored(TermScoring::kOwn, 1, Query(1, "n").prefix("t", "a"))}) {
    EXPECT_NE(words.index.error(wrong), "");
  }
}

}  // namespace quarry::scored_terms_test
