// Token filters: characters, stop words, stemming, and whole tokens.
#include "testing/analysis.h"

namespace quarry::token_filters_test {

TEST(LetterFilters, ChangeCaseAndFold) {
  EXPECT_EQ(filtered("lowercase", {}, "\u0130stanbul \u00c9T\u00c9"), "istanbul@0 \u00e9t\u00e9@1");
  EXPECT_EQ(filtered("lowercase", {{"language", {"turkish"}}}, "DI\u015e\u0130"),
            "d\u0131\u015fi@0");
  EXPECT_EQ(filtered("lowercase", {{"language", {"greek"}}}, "\u038c\u03c3\u03bf\u03c2"),
            "\u03bf\u03c3\u03bf\u03c3@0");
  EXPECT_EQ(filtered("lowercase", {{"language", {"irish"}}}, "nAthair Trua"), "n-athair@0 trua@1");
  EXPECT_EQ(filtered("uppercase", {}, "stra\u00dfe a\u00e9"), "STRA\u00dfE@0 A\u00c9@1");
  EXPECT_EQ(filtered("asciifolding", {}, "a\u00e7a\u00ed \u00e0 x"), "acai@0 a@1 x@2");
  EXPECT_EQ(filtered("asciifolding", {{"preserve_original", {"true"}}}, "\u00e9t\u00e9 x"),
            "ete@0 \u00e9t\u00e9@0 x@1");
}

TEST(StopFilter, LeavesHoles) {
  EXPECT_EQ(filtered("stop", {}, "the quick and a fox"), "quick@1 fox@4");
  EXPECT_EQ(filtered("stop", {{"stopwords", {"fox", "_french_"}}}, "le fox the"), "the@2");
  EXPECT_EQ(filtered("stop", {{"stopwords", {"THE"}}, {"ignore_case", {"true"}}}, "The the a"),
            "a@2");
  EXPECT_EQ(filtered("stop", {{"stopwords", {"_none_"}}}, "the"), "the@0");
  EXPECT_EQ(filtered("stop", {{"remove_trailing", {"false"}}}, "the fox and the"), "fox@1 the@3");
  EXPECT_EQ(
      filtered("stop", {{"stopwords", {"_klingon_"}}}, ""),
      "filter [f] of type [stop]: option [stopwords]: no stop word list is named [_klingon_]");
  EXPECT_EQ(
      filtered("stop", {{"stopwords_path", {"x.txt"}}}, ""),
      "filter [f] of type [stop]: option [stopwords_path] is not supported: list the words in "
      "[stopwords]");
}

TEST(StopFilter, TrailingStopWordsCountForTheNextValue) {
  TokenBuffer buffer;
  EXPECT_TRUE(builtin_analysis()->analyzer("english")->analyze("foxes and the", buffer).ok());
  EXPECT_EQ(show_tokens(buffer), "fox@0");
  EXPECT_EQ(buffer.end_position, 3);
}

TEST(StemFilters, StemByLanguage) {
  EXPECT_EQ(filtered("porter_stem", {}, "generously technology"), "gener@0 technolog@1");
  EXPECT_EQ(filtered("stemmer", {}, "running"), "run@0");
  EXPECT_EQ(filtered("stemmer", {{"language", {"porter2"}}}, "generously"), "generous@0");
  EXPECT_EQ(filtered("snowball", {}, "generously"), "generous@0");
  EXPECT_EQ(filtered("snowball", {{"language", {"German"}}}, "h\u00e4user"), "haus@0");
  EXPECT_EQ(filtered("stemmer", {{"name", {"possessive_english"}}}, "fox's dogs\u2019s"),
            "fox@0 dogs@1");
  EXPECT_EQ(filtered("stemmer", {{"language", {"light_french"}}}, "chevaux"), "cheval@0");
  EXPECT_EQ(
      filtered("stemmer", {{"language", {"minimal_elvish"}}}, ""),
      "filter [f] of type [stemmer]: option [language]: no stemmer is named [minimal_elvish]");
  for (const std::string name : {"light_english", "lightEnglish", "kstem"}) {
    EXPECT_EQ(filtered("stemmer", {{"name", {name}}}, "generously"), "generous@0");
  }
  EXPECT_EQ(filtered("kstem", {}, "generously technologies"), "generous@0 technology@1");
  EXPECT_EQ(filtered("snowball", {{"language", {"kstem"}}}, ""),
            "filter [f] of type [snowball]: option [language]: no stemmer is named [kstem]");
  EXPECT_EQ(filtered("stemmer", {{"name", {"lovins"}}}, ""),
            "filter [f] of type [stemmer]: option [name]: stemmer [lovins] is not supported: "
            "use [porter2] or [english]");
  EXPECT_EQ(filtered("no_such_stem", {}, ""), "Unknown filter type [no_such_stem] for [f]");
}

TEST(StemFilters, RepeatedWordsStemAlike) {
  // The cache of a stemmer must not confuse words that share a slot.
  const auto registry = AnalysisBuilder().filter("f", "snowball").build();
  const auto analyzer = (*registry)->combine("whitespace", {}, {"f"});
  TokenBuffer first;
  TokenBuffer again;
  std::string text;
  for (int i = 0; i < 20000; ++i) text += "words" + std::to_string(i * 7919 % 10007) + "s ";
  EXPECT_TRUE((*analyzer)->analyze(text, first).ok());
  EXPECT_TRUE((*analyzer)->analyze(text, again).ok());
  EXPECT_EQ(show_tokens(first), show_tokens(again));
  EXPECT_EQ(std::string(first.tokens[1].text), "words7919");
}

TEST(WordFilters, DropCutAndReverse) {
  EXPECT_EQ(filtered("length", {{"min", {"2"}}, {"max", {"3"}}}, "a bb \u00e9\u00e9\u00e9 dddd"),
            "bb@1 \u00e9\u00e9\u00e9@2");
  EXPECT_EQ(filtered("truncate", {{"length", {"2"}}}, "abc \u00e9\u00e9\u00e9"),
            "ab@0 \u00e9\u00e9@1");
  EXPECT_EQ(filtered("reverse", {}, "ab\u00e9"),
            "\u00e9"
            "ba@0");
  EXPECT_EQ(filtered("trim", {}, " a b ", "keyword"), "a b@0");
  EXPECT_EQ(filtered("limit", {{"max_token_count", {"2"}}}, "a b c"), "a@0 b@1");
  EXPECT_EQ(filtered("unique", {}, "a b a a c"), "a@0 b@1 c@2");
  EXPECT_EQ(filtered("unique", {{"only_on_same_position", {"true"}}}, "a b a"), "a@0 b@1 a@2");
  EXPECT_EQ(filtered("keep", {{"keep_words", {"b"}}}, "a b a"), "b@1");
  EXPECT_EQ(filtered("fingerprint", {}, "b a b"), "a b@0");
  EXPECT_EQ(filtered("fingerprint", {{"max_output_size", {"2"}}}, "b a"), "");
}

TEST(WordFilters, Apostrophes) {
  EXPECT_EQ(filtered("elision", {}, "l'avion L\u2019\u00c9tat aujourd'hui"),
            "avion@0 \u00c9tat@1 aujourd'hui@2");
  EXPECT_EQ(filtered("elision", {{"articles", {"b"}}}, "b'x l'x B'x"), "x@0 l'x@1 B'x@2");
  EXPECT_EQ(filtered("apostrophe", {}, "Istanbul'a veya"), "Istanbul@0 veya@1");
}

TEST(WordFilters, PatternReplace) {
  EXPECT_EQ(filtered("pattern_replace", {{"pattern", {"(dog)"}}, {"replacement", {"watch$1"}}},
                     "foxdogdog"),
            "foxwatchdogwatchdog@0");
  EXPECT_EQ(filtered("pattern_replace",
                     {{"pattern", {"o"}}, {"replacement", {"0"}}, {"all", {"false"}}}, "foo"),
            "f0o@0");
  EXPECT_EQ(
      filtered("pattern_replace", {{"pattern", {"a"}}, {"replacement", {"$1"}}}, ""),
      "filter [f] of type [pattern_replace]: replacement [$1]: the pattern has no such group");
}

TEST(KeywordMarker, ProtectsFromStemming) {
  const auto registry = AnalysisBuilder()
                            .filter("mark", "keyword_marker", {{"keywords", {"running"}}})
                            .filter("shape", "keyword_marker", {{"keywords_pattern", {"j.*g"}}})
                            .build();
  ASSERT_OK(registry);
  const auto analyzer = (*registry)->combine("whitespace", {}, {"mark", "shape", "porter_stem"});
  ASSERT_OK(analyzer);
  TokenBuffer buffer;
  EXPECT_TRUE((*analyzer)->analyze("running jumping walking", buffer).ok());
  EXPECT_EQ(show_tokens(buffer), "running@0 jumping@1 walk@2");
}

}  // namespace quarry::token_filters_test
