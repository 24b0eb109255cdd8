// Synonyms of several words in match and phrase clauses: each reading of the text is a phrase, and
// readings are never mixed.
#include <string>

#include "testing/test_index.h"

namespace quarry::synonym_graph_test {

using testing::Query;
using testing::TestIndex;

TestIndex make_index() {
  TestIndex index(R"({"properties":{"t":{"type":"text","search_analyzer":"graph"}}})",
                  R"({"analysis":{"filter":{"g":{"type":"synonym_graph",
                      "synonyms":["wtf, what the fudge","foo, bar baz"]}},
                      "analyzer":{"graph":{"tokenizer":"standard","filter":["lowercase","g"]}}}})");
  index.add("1", R"({"t":"say wtf happened foo"})");
  index.add("2", R"({"t":"bar baz what the fudge man"})");
  index.add("3", R"({"t":"wtf"})");
  index.add("4", R"({"t":"what is the name for fudge"})");
  index.add("5", R"({"t":"bar two three"})");
  index.add("6", R"({"t":"bar baz two three"})");
  index.refresh();
  return index;
}

std::string sorted(const TestIndex& index, const testing::NodeBytes& query) {
  return index.ids(Query().constant_score(query));
}

TEST(SynonymGraph, PhrasesFollowOneReading) {
  const TestIndex index = make_index();
  const Query q;
  EXPECT_EQ(index.ids(q.match_phrase("t", "foo two three")), "6");
  EXPECT_EQ(sorted(index, q.match_phrase("t", "wtf")), "1 2 3");
  EXPECT_EQ(sorted(index, q.match_phrase("t", "say what the fudge happened")), "1");
  EXPECT_EQ(sorted(index, q.match_phrase_prefix("t", "foo tw")), "6");
}

TEST(SynonymGraph, EachRangeIsOneClause) {
  const TestIndex index = make_index();
  const Query q;
  MatchOptions options;
  options.operator_and = true;
  EXPECT_EQ(sorted(index, q.match("t", "say what the fudge", options)), "1");
  EXPECT_EQ(sorted(index, q.match("t", "wtf", options)), "1 2 3");
  options.operator_and = false;
  options.minimum_should_match = "80%";
  EXPECT_EQ(sorted(index, q.match("t", "three what the fudge foo", options)), "1 2 6");
}

TEST(SynonymGraph, WordsNeedNotBePhrases) {
  const TestIndex index = make_index();
  MatchOptions options;
  options.synonym_phrases = false;
  EXPECT_EQ(sorted(index, Query().match("t", "three what the fudge foo", options)), "1 2 3 4 5 6");
  options.synonym_phrases = true;
  EXPECT_EQ(sorted(index, Query().match("t", "three what the fudge foo", options)), "1 2 3 5 6");
}

}  // namespace quarry::synonym_graph_test
