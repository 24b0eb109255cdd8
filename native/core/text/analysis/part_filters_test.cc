// The filters that split tokens, join their parts or are made of other filters: options, refusals
// and work. The tokens themselves are compared in components_golden_test.cc.
#include <string>
#include <string_view>
#include <vector>

#include "base/random.h"
#include "testing/analysis.h"
#include "text/analysis/analysis_budget.h"

namespace quarry::part_filters_test {

TEST(PartFilters, InvalidOptionsAreRefusedByName) {
  EXPECT_EQ(
      filtered("word_delimiter_graph", {{"type_table", {"ab => ALPHA"}}}, ""),
      "filter [f] of type [word_delimiter_graph]: Invalid Mapping Rule: [ab => ALPHA], write [c "
      "=> TYPE] with one character of the basic plane and LOWER, UPPER, ALPHA, DIGIT, ALPHANUM or "
      "SUBWORD_DELIM");
  EXPECT_EQ(filtered("cjk_bigram", {{"ignored_scripts", {"latin"}}}, ""),
            "filter [f] of type [cjk_bigram]: option [ignored_scripts] must list han, hiragana, "
            "katakana or hangul but has [latin]");
  EXPECT_EQ(filtered("pattern_capture", {}, ""),
            "filter [f] of type [pattern_capture]: required setting 'patterns' is missing");
  EXPECT_EQ(
      filtered("stemmer_override", {{"rules", {"a => b => c"}}}, ""),
      "filter [f] of type [stemmer_override]: Invalid Keyword Override Rule:a => b => c, write "
      "[word, word => stem]");
  EXPECT_EQ(
      filtered("dictionary_decompounder", {{"word_list_path", {"x"}}}, ""),
      "filter [f] of type [dictionary_decompounder]: option [word_list_path] is not supported: "
      "list the words in [word_list]");
}

TEST(PartFilters, TypesThatAreNotSupportedSayWhatToUse) {
  EXPECT_EQ(filtered("hyphenation_decompounder", {}, ""),
            "filter [f] has type [hyphenation_decompounder], which is not supported: use "
            "[dictionary_decompounder] with the same [word_list]");
  EXPECT_EQ(
      tokenized("icu_tokenizer", {}, ""),
      "tokenizer [t] has type [icu_tokenizer], which is not supported: use [standard], with the "
      "filter [cjk_bigram] for Chinese and Japanese");
  const auto registry = AnalysisBuilder().build();
  const auto analyzer = (*registry)->combine("standard", {}, {"min_hash"});
  EXPECT_EQ(analyzer.status().reason(),
            "filter [min_hash] has type [min_hash], which is not supported: index the tokens "
            "themselves");
}

TEST(Multiplexer, EmitsTheResultOfEachChainOnce) {
  EXPECT_EQ(filtered("multiplexer", {{"filters", {"lowercase", "lowercase, porter_stem"}}},
                     "Running fox"),
            "Running@0 running@0 run@0 fox@1");
  EXPECT_EQ(filtered("multiplexer", {{"filters", {"uppercase"}}, {"preserve_original", {"false"}}},
                     "fox jumps"),
            "FOX@0 JUMPS@1");
}

TEST(Multiplexer, PositionsOfABranchComeBeforeTheNextBranch) {
  const auto registry =
      AnalysisBuilder()
          .filter("f", "multiplexer", {{"filters", {"word_delimiter", "lowercase"}}})
          .build();
  const auto analyzer = (*registry)->combine("whitespace", {}, {"f"});
  EXPECT_EQ(shown(**analyzer, "Wi-Fi box"), "Wi-Fi@0 Wi@0 Fi@1 wi-fi@1 box@2");
}

TEST(Multiplexer, NamesABoundedNumberOfFilters) {
  std::string names = "lowercase";
  for (int i = 0; i < 64; ++i) names += ",lowercase";
  EXPECT_EQ(filtered("multiplexer", {{"filters", {names}}}, ""),
            "filter [f] of type [multiplexer]: option [filters] may name 64 filters");
}

TEST(Multiplexer, WorkGrowsWithTheText) {
  const auto registry = AnalysisBuilder()
                            .filter("f", "multiplexer", {{"filters", {"lowercase", "uppercase"}}})
                            .build();
  const auto analyzer = (*registry)->combine("whitespace", {}, {"lowercase", "f"});
  std::string text;
  for (int i = 0; i < 100000; ++i) text += "Some words ";
  TokenBuffer buffer;
  AnalysisBudget budget;
  EXPECT_OK((*analyzer)->analyze(text, buffer, budget));
  EXPECT_TRUE(budget.steps() < 100 * text.size());
}

TEST(Multiplexer, SynonymsAreThoseOfEachAnalyzer) {
  const auto registry =
      AnalysisBuilder()
          .filter("s", "synonym", {{"synonyms", {"BIG, HUGE"}}})
          .filter("f", "multiplexer", {{"filters", {"lowercase, s"}}})
          .analyzer("a", "custom", {{"tokenizer", {"whitespace"}}, {"filter", {"uppercase", "f"}}})
          .analyzer("b", "custom", {{"tokenizer", {"whitespace"}}, {"filter", {"reverse", "f"}}})
          .build();
  ASSERT_OK(registry);
  EXPECT_EQ(shown(*(*registry)->analyzer("a"), "big"), "BIG@0 big@0 huge@0");
  EXPECT_EQ(shown(*(*registry)->analyzer("b"), "big"), "gib@0 eguh@0");
}

TEST(Multiplexer, MayNotNameItself) {
  EXPECT_EQ(
      filtered("multiplexer", {{"filters", {"f"}}}, ""),
      "filter [f] of type [multiplexer]: filter [f] may not name [f], which names other filters "
      "itself");
  EXPECT_EQ(
      filtered("multiplexer", {{"filters", {"nothing"}}}, ""),
      "filter [f] of type [multiplexer]: filter [f] failed to find filter under name [nothing]");
}

TEST(PartFilters, LongTokensTakeWorkInProportion) {
  // Each form would take the square of the length if parts were searched again for each part.
  std::string text;
  for (int i = 0; i < 20000; ++i) text += "aB-1";
  for (const std::string type : {"word_delimiter", "word_delimiter_graph"}) {
    const auto registry = AnalysisBuilder().filter("f", type, {{"catenate_all", {"true"}}}).build();
    const auto analyzer = (*registry)->combine("keyword", {}, {"f", "flatten_graph"});
    TokenBuffer buffer;
    AnalysisBudget budget;
    EXPECT_OK((*analyzer)->analyze(text, buffer, budget));
    EXPECT_TRUE(budget.steps() < 100 * text.size());
  }
  std::string atoms;
  for (int i = 0; i < 20000; ++i) atoms += "a/-+";
  for (const std::string type : {"uax_url_email", "classic"}) {
    const auto registry = AnalysisBuilder().tokenizer("t", type).build();
    const auto analyzer = (*registry)->combine("t", {}, {});
    TokenBuffer buffer;
    AnalysisBudget budget;
    EXPECT_OK((*analyzer)->analyze(atoms, buffer, budget));
    EXPECT_TRUE(budget.steps() < 100 * atoms.size());
  }
}

TEST(PartFilters, EveryPartOfALongTokenCountsAsWork) {
  const auto registry =
      AnalysisBuilder()
          .filter("f", "dictionary_decompounder",
                  {{"word_list", {std::string(100000, 'a')}}, {"max_subword_size", {"2000000000"}}})
          .build();
  const auto analyzer = (*registry)->combine("keyword", {}, {"f"});
  TokenBuffer buffer;
  EXPECT_EQ((*analyzer)->analyze(std::string(300000, 'a'), buffer).reason().substr(0, 60),
            "filter [f] of type [dictionary_decompounder] takes more than");
}

TEST(PartFilters, DecompoundingIgnoresTheCaseOfLettersOfAnyLength) {
  EXPECT_EQ(filtered("dictionary_decompounder",
                     {{"word_list", {"KELVIN", "haus"}}, {"word_list_case", {"true"}}},
                     "\u212Aelvinhaus"),
            "\u212Aelvinhaus@0 \u212Aelvin@0 haus@0");
}

TEST(PartFilters, LongWordsOfIndianScriptsTakeOnePass) {
  // Each removed letter would move the rest of the word.
  std::string word;
  std::string shorter;
  for (int i = 0; i < 400000; ++i) {
    word += "\u0928\u094D";
    shorter += "\u0902";
  }
  for (const std::string type :
       {"hindi_normalization", "bengali_normalization", "indic_normalization"}) {
    const auto registry = AnalysisBuilder().filter("f", type).build();
    const auto analyzer = (*registry)->combine("keyword", {}, {"f"});
    TokenBuffer buffer;
    EXPECT_OK((*analyzer)->analyze(word, buffer));
    ASSERT_EQ(buffer.tokens.size(), size_t{1});
    EXPECT_TRUE(buffer.tokens[0].text == (type == "hindi_normalization" ? shorter : word));
  }
}

TEST(PartFilters, AddressesAreSearchedOnceFromTheRunsOfAText) {
  // No address: each of the runs would read on to the end.
  std::string text;
  for (int i = 0; i < 200000; ++i) text += "a_";
  const auto registry = AnalysisBuilder().tokenizer("t", "classic").build();
  const auto analyzer = (*registry)->combine("t", {}, {});
  TokenBuffer buffer;
  EXPECT_OK((*analyzer)->analyze(text + "a@b", buffer));
  EXPECT_EQ(buffer.tokens.size(), size_t{200001});
}

TEST(PartFilters, LongRunsOfMarksAreOrderedAndFolded) {
  std::string marks = "a";
  for (int i = 0; i < 200000; ++i) marks += "\u0301\u0323";
  std::string ordered = "\u1EA1";
  for (int i = 1; i < 200000; ++i) ordered += "\u0323";
  for (int i = 0; i < 200000; ++i) ordered += "\u0301";
  // Other tokenizers cut so long a word.
  EXPECT_TRUE(filtered("icu_normalizer", {{"name", {"nfc"}}}, marks, "keyword") == ordered + "@0");
  EXPECT_EQ(filtered("icu_folding", {}, marks, "keyword"), "a@0");
}

TEST(PartFilters, EveryComponentTakesMalformedText) {
  AnalysisBuilder parts;
  const std::vector<std::string> plain = {"arabic_normalization",
                                          "bengali_normalization",
                                          "cjk_bigram",
                                          "cjk_width",
                                          "decimal_digit",
                                          "flatten_graph",
                                          "german_normalization",
                                          "hindi_normalization",
                                          "icu_folding",
                                          "icu_normalizer",
                                          "indic_normalization",
                                          "keyword_repeat",
                                          "persian_normalization",
                                          "scandinavian_folding",
                                          "scandinavian_normalization",
                                          "serbian_normalization",
                                          "sorani_normalization",
                                          "unique",
                                          "word_delimiter"};
  parts.filter("words", "dictionary_decompounder", {{"word_list", {"ab", "\u00e9"}}})
      .filter("grams", "common_grams", {{"common_words", {"a"}}})
      .filter("captures", "pattern_capture", {{"patterns", {"(?<=a)(.)(?!b)"}}})
      .filter("graph", "word_delimiter_graph",
              {{"catenate_all", {"true"}}, {"preserve_original", {"true"}}})
      .filter("chains", "multiplexer", {{"filters", {"word_delimiter", "icu_folding"}}});
  std::vector<std::string> filters = plain;
  for (const char* own : {"words", "grams", "captures", "graph", "chains"})
    filters.emplace_back(own);
  const auto registry = parts.build();
  ASSERT_OK(registry);
  constexpr std::string_view kBytes = "aB1-_.@/:' \xC3\xA9\xE6\x97\xA5\xF0\x9F\xFF\x80\xCC\x81";
  Random random(40);
  for (int round = 0; round < 400; ++round) {
    std::string text;
    for (uint64_t n = random.below(60); n > 0; --n) text += kBytes[random.below(kBytes.size())];
    std::vector<std::string> names;
    for (uint64_t n = random.below(5); n > 0; --n)
      names.push_back(filters[random.below(filters.size())]);
    for (const char* tokenizer : {"keyword", "standard", "classic", "uax_url_email"}) {
      const auto analyzer = (*registry)->combine(tokenizer, {"icu_normalizer"}, names);
      ASSERT_OK(analyzer);
      TokenBuffer buffer;
      EXPECT_OK((*analyzer)->analyze(text, buffer));
      uint32_t last = 0;
      for (const Token& token : buffer.tokens) {
        EXPECT_TRUE(token.position >= last && token.start <= token.end && token.end <= text.size());
        last = token.position;
      }
    }
  }
}

TEST(AnalysisVersions, FormerIndexesKeepTheirAnalyzers) {
  const auto analyze = [](uint32_t version, std::string_view analyzer, std::string_view text) {
    TokenBuffer buffer;
    EXPECT_OK(builtin_analysis(version)->analyzer(analyzer)->analyze(text, buffer));
    return show_tokens(buffer);
  };
  EXPECT_EQ(analyze(3, "french", "il a été"), "a@1 été@2");
  EXPECT_EQ(analyze(2, "french", "il a été"), "");
  EXPECT_EQ(analyze(3, "hindi", "२०२४ के"), "2024@0");
  EXPECT_EQ(analyze(2, "hindi", "२०२४ के"), "२०२४@0");
  EXPECT_EQ(analyze(2, "french", "chevaux"), "cheval@0");
  EXPECT_EQ(analyze(1, "french", "chevaux"), "cheval@0");
}

}  // namespace quarry::part_filters_test
