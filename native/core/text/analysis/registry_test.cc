// The registry: built-in analyzers, custom ones, normalizers, and errors that name the invalid
// part.
#include <atomic>
#include <thread>

#include "testing/analysis.h"

namespace quarry::registry_test {

TEST(BuiltinAnalyzers, AnalyseLikeElasticsearch) {
  EXPECT_EQ(analyzed("standard", "The 2 QUICK dog's"), "the@0 2@1 quick@2 dog's@3");
  EXPECT_EQ(analyzed("simple", "The 2 QUICK dog's"), "the@0 quick@1 dog@2 s@3");
  EXPECT_EQ(analyzed("whitespace", "The 2 dog's"), "The@0 2@1 dog's@2");
  EXPECT_EQ(analyzed("keyword", "The 2 dog's"), "The 2 dog's@0");
  EXPECT_EQ(analyzed("stop", "The quick dog is 2"), "quick@1 dog@2");
  EXPECT_EQ(analyzed("pattern", "The 2-QUICK"), "the@0 2@1 quick@2");
  EXPECT_EQ(analyzed("fingerprint", "Yes yes, G\u00f6del said this"), "godel said this yes@0");
  EXPECT_EQ(analyzed("english", "The dogs' fox's running is generously"),
            "dog@1 fox@2 run@3 gener@5");
}

TEST(BuiltinAnalyzers, MemoryHasTheWordsOfTheEmbedder) {
  EXPECT_EQ(analyzed("memory", "What did Caroline's dogs do on 29.12.2023? It rained.I slept"),
            "carolin@2 dog@3 29@6 12@7 2023@8 rain@10 slept@12");
  EXPECT_EQ(analyzed("memory", "CAF\u00c9s don't close"), "cafe@0 close@2");
  EXPECT_EQ(analyzed("memory", ""), "");
}

TEST(BuiltinAnalyzers, MemoryKeepsAllWordsOfATextOfFunctionWords) {
  EXPECT_EQ(analyzed("memory", "Who are you?"), "who@0 ar@1 you@2");
  EXPECT_EQ(analyzed("memory", "Who are you, Ann?"), "ann@3");
}

TEST(BuiltinAnalyzers, MemoryFoldsSingleTerms) {
  const Analyzer* memory = builtin_analysis()->analyzer("memory");
  EXPECT_EQ(memory->normalize("Caf\u00c9s").value(), "cafes");
  EXPECT_EQ(memory->normalize("dogs").value(), "dogs");
}

TEST(BuiltinAnalyzers, KnowLanguages) {
  EXPECT_EQ(analyzed("french", "L'avion et les maisons"), "avion@0 maison@3");
  EXPECT_EQ(analyzed("german", "Die H\u00e4user sind gro\u00df"), "haus@1 gross@3");
  EXPECT_EQ(
      analyzed("russian", "\u043a\u043d\u0438\u0433\u0438 \u0438 \u0441\u0442\u043e\u043b\u044b"),
      "\u043a\u043d\u0438\u0433@0 \u0441\u0442\u043e\u043b@2");
  EXPECT_EQ(analyzed("turkish", "\u0130stanbul'da KITAP"), "istanbul@0 k\u0131tap@1");
  for (const std::string_view language :
       {"arabic",    "armenian",   "basque",    "catalan",    "danish",  "dutch",   "finnish",
        "greek",     "hindi",      "hungarian", "indonesian", "irish",   "italian", "lithuanian",
        "norwegian", "portuguese", "romanian",  "serbian",    "spanish", "swedish"}) {
    EXPECT_TRUE(builtin_analysis()->analyzer(language) != nullptr);
  }
  EXPECT_TRUE(builtin_analysis()->analyzer("klingon") == nullptr);
}

TEST(Registry, BuildsCustomAnalyzers) {
  const auto registry = AnalysisBuilder()
                            .char_filter("and", "mapping", {{"mappings", {"& => and"}}})
                            .tokenizer("words", "pattern", {{"pattern", {"[ ,]+"}}})
                            .filter("short", "truncate", {{"length", {"4"}}})
                            .analyzer("mine", "custom",
                                      {{"char_filter", {"and"}},
                                       {"tokenizer", {"words"}},
                                       {"filter", {"lowercase", "short"}},
                                       {"position_increment_gap", {"7"}}})
                            .analyzer("plain", "standard",
                                      {{"stopwords", {"_english_"}}, {"max_token_length", {"4"}}})
                            .analyzer("untyped", "", {{"tokenizer", {"keyword"}}})
                            .build();
  ASSERT_OK(registry);
  TokenBuffer buffer;
  EXPECT_TRUE((*registry)->analyzer("mine")->analyze("Bread & Butter", buffer).ok());
  EXPECT_EQ(show_tokens(buffer), "brea@0 and@1 butt@2");
  EXPECT_EQ((*registry)->analyzer("mine")->position_increment_gap(), 7);
  EXPECT_TRUE((*registry)->analyzer("plain")->analyze("the breads", buffer).ok());
  EXPECT_EQ(show_tokens(buffer), "brea@1 ds@2");
  EXPECT_EQ((*registry)->analyzer("plain")->position_increment_gap(), 100);
  EXPECT_TRUE((*registry)->analyzer("untyped") != nullptr);
  EXPECT_TRUE((*registry)->analyzer("english") != nullptr);
  EXPECT_TRUE((*registry)->analyzer("absent") == nullptr);
}

TEST(Registry, NormalizesSingleTerms) {
  const auto registry =
      AnalysisBuilder()
          .normalizer("folded", {{"filter", {"lowercase", "asciifolding"}}})
          .analyzer("deep", "custom",
                    {{"tokenizer", {"standard"}}, {"filter", {"lowercase", "stop", "porter_stem"}}})
          .build();
  ASSERT_OK(registry);
  TokenBuffer buffer;
  EXPECT_TRUE((*registry)->normalizer("folded")->analyze("Caf\u00e9 NOIR", buffer).ok());
  EXPECT_EQ(show_tokens(buffer), "cafe noir@0");
  EXPECT_EQ((*registry)->normalizer("folded")->normalize("\u00c9T\u00c9").value(), "ete");
  EXPECT_EQ((*registry)->normalizer("lowercase")->normalize("A b").value(), "a b");
  EXPECT_EQ((*registry)->analyzer("deep")->normalize("The Running").value(), "the running");
  EXPECT_EQ((*registry)->analyzer("whitespace")->normalize("The").value(), "The");
  EXPECT_EQ((*registry)->analyzer("simple")->normalize("The").value(), "the");
  EXPECT_EQ((*registry)->analyzer("english")->normalize("Foxes").value(), "foxes");
  EXPECT_EQ((*registry)->analyzer("keyword")->normalize("").value(), "");
}

TEST(Registry, RefusesWithTheName) {
  const auto custom = [](Options options) {
    return AnalysisBuilder().analyzer("a", "custom", std::move(options)).refusal();
  };
  EXPECT_EQ(custom({{"tokenizer", {"nope"}}}),
            "Custom Analyzer [a] failed to find tokenizer under name [nope]");
  EXPECT_EQ(custom({{"tokenizer", {"standard"}}, {"filter", {"nope"}}}),
            "Custom Analyzer [a] failed to find filter under name [nope]");
  EXPECT_EQ(custom({{"tokenizer", {"standard"}}, {"char_filter", {"nope"}}}),
            "Custom Analyzer [a] failed to find char_filter under name [nope]");
  EXPECT_EQ(custom({}), "Custom Analyzer [a] needs a [tokenizer]");
  EXPECT_EQ(AnalysisBuilder().analyzer("a", "").refusal(),
            "analyzer [a] must specify either an analyzer type, or a tokenizer");
  EXPECT_EQ(AnalysisBuilder().analyzer("a", "klingon").refusal(),
            "Unknown analyzer type [klingon] for [a]");
  EXPECT_EQ(AnalysisBuilder().analyzer("a", "snowball", {{"language", {"Elvish"}}}).refusal(),
            "analyzer [a] of type [snowball]: option [language]: no stemmer is named [Elvish]");
  EXPECT_EQ(AnalysisBuilder().filter("f", "length", {{"min", {"two"}}}).refusal(),
            "filter [f] of type [length]: option [min] must be an integer but was [two]");
  EXPECT_EQ(
      AnalysisBuilder().filter("f", "asciifolding", {{"preserve_original", {"1"}}}).refusal(),
      "filter [f] of type [asciifolding]: option [preserve_original] must be [true] or [false] but "
      "was [1]");
  EXPECT_EQ(AnalysisBuilder().tokenizer("t", "klingon").refusal(),
            "Unknown tokenizer type [klingon] for [t]");
  EXPECT_EQ(AnalysisBuilder().normalizer("n", {{"filter", {"stop"}}}).refusal(),
            "Custom normalizer [n] may not use filter [stop]");
}

TEST(Registry, LeavesUnknownOptionsAside) {
  EXPECT_EQ(AnalysisBuilder()
                .tokenizer("t", "edge_ngram", {{"side", {"front"}}})
                .filter("f", "stop", {{"stop_words", {"a"}}})
                .analyzer("a", "custom",
                          {{"tokenizer", {"t"}}, {"filter", {"f"}}, {"language", {"english"}}})
                .analyzer("b", "standard", {{"language", {"english"}}})
                .refusal(),
            "");
}

TEST(Registry, HasTheSnowballAnalyzer) {
  EXPECT_EQ(analyzed("snowball", "The dog's generously running"), "dog@1 generous@2 run@3");
  const auto registry = AnalysisBuilder()
                            .analyzer("de", "snowball", {{"language", {"German"}}})
                            .analyzer("it", "snowball", {{"name", {"Italian"}}})
                            .build();
  ASSERT_OK(registry);
  TokenBuffer buffer;
  EXPECT_TRUE((*registry)->analyzer("de")->analyze("die H\u00e4user", buffer).ok());
  EXPECT_EQ(show_tokens(buffer), "haus@1");
  EXPECT_TRUE((*registry)->analyzer("it")->analyze("il gatti", buffer).ok());
  EXPECT_EQ(show_tokens(buffer), "il@0 gatt@1");
}

TEST(Registry, CombinesForTheAnalyzeApi) {
  const auto registry = builtin_analysis();
  TokenBuffer buffer;
  const auto analyzer = registry->combine("standard", {"html_strip"}, {"lowercase", "unique"});
  ASSERT_OK(analyzer);
  EXPECT_TRUE((*analyzer)->analyze("<b>Fox</b> fox", buffer).ok());
  EXPECT_EQ(show_offsets(buffer), "fox[3-10]");
  EXPECT_EQ(registry->combine("nope", {}, {}).status().reason(),
            "failed to find global tokenizer under name [nope]");
}

TEST(Registry, WiderLimitsComeFromTheIndex) {
  AnalysisBuilder builder;
  builder.tokenizer("t", "ngram", {{"max_gram", {"5"}}});
  EXPECT_NE(builder.refusal(), "");
  builder.spec().max_ngram_diff = 4;
  EXPECT_EQ(builder.refusal(), "");
}

TEST(Registry, AnalyzersServeManyThreads) {
  const Analyzer* german = builtin_analysis()->analyzer("german");
  TokenBuffer expected;
  const std::string text = "Die H\u00e4user der gro\u00dfen St\u00e4dte wachsen weiter und weiter";
  EXPECT_TRUE(german->analyze(text, expected).ok());
  std::atomic<int> different{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      TokenBuffer buffer;
      for (int i = 0; i < 300; ++i) {
        EXPECT_TRUE(german->analyze(text, buffer).ok());
        if (show_tokens(buffer) != show_tokens(expected)) ++different;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(different.load(), 0);
}

}  // namespace quarry::registry_test
