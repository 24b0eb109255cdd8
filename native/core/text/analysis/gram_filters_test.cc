// Filters that split or combine tokens: n-grams, shingles, synonyms.
#include "testing/analysis.h"

namespace quarry::gram_filters_test {
/// Synonym rules over lower-cased words.
std::string synonyms(const std::vector<std::string>& rules, std::string_view text,
                     Options options = {}) {
  options["synonyms"] = rules;
  const auto registry = AnalysisBuilder().filter("s", "synonym_graph", options).build();
  if (!registry.ok()) return registry.status().reason();
  const auto analyzer = (*registry)->combine("whitespace", {}, {"lowercase", "s"});
  if (!analyzer.ok()) return analyzer.status().reason();
  TokenBuffer buffer;
  EXPECT_TRUE((*analyzer)->analyze(text, buffer).ok());
  return show_tokens(buffer);
}

TEST(NgramFilter, KeepsThePositionOfTheToken) {
  EXPECT_EQ(filtered("ngram", {}, "abc d"), "a@0 ab@0 b@0 bc@0 c@0 d@1");
  EXPECT_EQ(filtered("edge_ngram", {{"max_gram", {"3"}}}, "\u00e9tat"),
            "\u00e9@0 \u00e9t@0 \u00e9ta@0");
  EXPECT_EQ(filtered("edge_ngram", {{"side", {"back"}}}, "abc"), "c@0 bc@0");
  EXPECT_EQ(filtered("edge_ngram", {{"min_gram", {"2"}}, {"preserve_original", {"true"}}}, "a abc"),
            "a@0 ab@1 abc@1");
}

TEST(ShingleFilter, JoinsAdjacentTokens) {
  EXPECT_EQ(filtered("shingle", {}, "quick brown fox"),
            "quick@0 quick brown@0 brown@1 brown fox@1 fox@2");
  EXPECT_EQ(filtered("shingle",
                     {{"min_shingle_size", {"3"}},
                      {"max_shingle_size", {"3"}},
                      {"output_unigrams", {"false"}},
                      {"token_separator", {"+"}}},
                     "a b c d"),
            "a+b+c@0 b+c+d@1");
  EXPECT_EQ(
      filtered("shingle",
               {{"output_unigrams", {"false"}}, {"output_unigrams_if_no_shingles", {"true"}}}, "a"),
      "a@0");
}

TEST(ShingleFilter, ShinglesAreAsLongAsTheShortestLetsThem) {
  const auto lengths = [](const Options& options) {
    const auto registry = AnalysisBuilder().filter("f", "shingle", options).build();
    TokenBuffer buffer;
    EXPECT_TRUE((*(*registry)->combine("whitespace", {}, {"f"}))->analyze("a b c d", buffer).ok());
    std::string out;
    for (const Token& token : buffer.tokens) out += std::to_string(token.position_length);
    return out;
  };
  EXPECT_EQ(lengths({}), "1212121");
  EXPECT_EQ(lengths({{"max_shingle_size", {"3"}}}), "123123121");
  EXPECT_EQ(lengths({{"max_shingle_size", {"3"}}, {"output_unigrams", {"false"}}}), "12121");
  EXPECT_EQ(lengths({{"min_shingle_size", {"3"}},
                     {"max_shingle_size", {"4"}},
                     {"output_unigrams", {"false"}}}),
            "121");
}

TEST(ShingleFilter, FillsHoles) {
  const auto registry = builtin_analysis();
  const auto analyzer = registry->combine("whitespace", {}, {"stop", "shingle"});
  TokenBuffer buffer;
  EXPECT_TRUE((*analyzer)->analyze("fox and the dog", buffer).ok());
  EXPECT_EQ(show_tokens(buffer), "fox@0 fox _@0 _ dog@2 dog@3");
}

TEST(ShingleFilter, RefusesWideRanges) {
  EXPECT_EQ(
      filtered("shingle", {{"max_shingle_size", {"5"}}}, ""),
      "filter [f] of type [shingle]: In Shingle TokenFilter the difference between "
      "max_shingle_size and min_shingle_size (and +1 if outputting unigrams) must be less than or "
      "equal to: [3] but was [4]. This limit can be set by changing the [index.max_shingle_diff] "
      "index level setting.");
}

TEST(SynonymFilter, ExpandsEqualTerms) {
  EXPECT_EQ(synonyms({"car, auto"}, "my Car"), "my@0 car@1 auto@1");
  EXPECT_EQ(synonyms({"# comment", "", "car, auto"}, "auto car"), "auto@0 car@0 car@1 auto@1");
  EXPECT_EQ(synonyms({"car, auto"}, "auto car", {{"expand", {"false"}}}), "car@0 car@1");
  EXPECT_EQ(synonyms({"ny, new york"}, "ny city"), "ny@0 new@0 york@1 city@2");
  EXPECT_EQ(synonyms({"ny, new york"}, "new york city"), "new@0 ny@0 york@1 city@2");
}

TEST(SynonymFilter, ReplacementsMoveWhatFollows) {
  EXPECT_EQ(synonyms({"u s a, united states => usa"}, "the u s a flag"), "the@0 usa@1 flag@2");
  EXPECT_EQ(synonyms({"ny => new york"}, "ny city"), "new@0 york@1 city@2");
  EXPECT_EQ(synonyms({"a b => x", "a b c => y"}, "a b c a b d a"), "y@0 x@1 d@2 a@3");
  EXPECT_EQ(synonyms({"a\\,b => c\\=>d"}, "a,b"), "c=>d@0");
}

TEST(SynonymFilter, RefusesRulesThatAnalysisBreaks) {
  const auto builder = [](const std::string& lenient) {
    return AnalysisBuilder()
        .filter("s", "synonym",
                {{"synonyms", {"the box, a => crate", "of => x", "fox, vixen"}},
                 {"lenient", {lenient}}})
        .analyzer("a", "custom", {{"tokenizer", {"standard"}}, {"filter", {"stop", "s"}}});
  };
  EXPECT_EQ(
      builder("false").refusal(),
      "filter [s] of type [synonym]: Invalid synonym rule at line 1 [the box, a => crate]: term: "
      "the box analyzed to a token (box) with position increment != 1");
  const auto lenient = builder("true").build();
  ASSERT_OK(lenient);
  TokenBuffer buffer;
  EXPECT_TRUE((*lenient)->analyzer("a")->analyze("fox", buffer).ok());
  EXPECT_EQ(show_tokens(buffer), "fox@0 vixen@0");
  EXPECT_EQ(
      synonyms({"a => b => c"}, ""),
      "filter [s] of type [synonym_graph]: Invalid synonym rule at line 1 [a => b => c]: more than "
      "one explicit mapping specified on one line");
  EXPECT_EQ(synonyms({"a, b"}, "", {{"format", {"wordnet"}}}),
            "filter [s] of type [synonym_graph]: option [format] must be one of [solr] but was "
            "[wordnet]");
}

TEST(SynonymFilter, CoversTheMatchedText) {
  const auto registry =
      AnalysisBuilder().filter("s", "synonym", {{"synonyms", {"new york, ny"}}}).build();
  const auto analyzer = (*registry)->combine("whitespace", {}, {"s"});
  TokenBuffer buffer;
  EXPECT_TRUE((*analyzer)->analyze("in new york", buffer).ok());
  EXPECT_EQ(show_offsets(buffer), "in[0-2] new[3-6] ny[3-11] york[7-11]");
  EXPECT_EQ(buffer.tokens[2].position_length, 2);
  EXPECT_EQ(std::string(buffer.tokens[2].type), "SYNONYM");
  EXPECT_EQ(buffer.end_position, 3);
}

}  // namespace quarry::gram_filters_test
