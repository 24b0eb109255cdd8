// Budgets of analysis: chains that multiply text are rejected by the name of a component, for any
// combination, and chains in practical use are accepted.
#include "text/analysis/analysis_budget.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "base/random.h"
#include "testing/analysis.h"

namespace quarry::analysis_budget_test {
std::string times(size_t count, std::string_view text) {
  std::string out;
  for (size_t i = 0; i < count; ++i) out += text;
  return out;
}

/// Tokens of `text` through a chain, or the reason of its rejection.
struct Outcome {
  TokenBuffer buffer;
  AnalysisBudget budget;
  Status status;
};

void run(const AnalysisBuilder& parts, const std::string& tokenizer,
         const std::vector<std::string>& char_filters, const std::vector<std::string>& filters,
         std::string_view text, Outcome& out) {
  const auto registry = parts.build();
  if (!registry.ok()) {
    out.status = registry.status();
    return;
  }
  const auto analyzer = (*registry)->combine(tokenizer, char_filters, filters);
  out.status =
      analyzer.ok() ? (*analyzer)->analyze(text, out.buffer, out.budget) : analyzer.status();
}

std::string refusal(const AnalysisBuilder& parts, const std::string& tokenizer,
                    const std::vector<std::string>& char_filters,
                    const std::vector<std::string>& filters, std::string_view text) {
  Outcome out;
  run(parts, tokenizer, char_filters, filters, text, out);
  return out.status.reason();
}

std::vector<std::string> repeated(size_t count, const std::string& name) {
  return std::vector<std::string>(count, name);
}

bool names(const std::string& reason, const std::string& component) {
  return reason.starts_with(component) && reason.find(" bytes may become") != std::string::npos;
}

TEST(AnalysisBudget, RefusesCharFiltersThatMultiply) {
  AnalysisBuilder parts;
  parts.char_filter("big", "mapping", {{"mappings", {"a => " + times(36, "a")}}})
      .char_filter("double", "pattern_replace", {{"pattern", {"a"}}, {"replacement", {"aa"}}})
      .char_filter("whole", "pattern_replace",
                   {{"pattern", {".+"}}, {"replacement", {times(500, "$0")}}})
      .char_filter("much", "mapping", {{"mappings", {"a => " + times(1000000, "b")}}});
  EXPECT_TRUE(names(refusal(parts, "keyword", repeated(8, "big"), {}, "a"),
                    "char_filter [big] of type [mapping]"));
  EXPECT_TRUE(names(refusal(parts, "keyword", repeated(40, "double"), {}, "a"),
                    "char_filter [double] of type [pattern_replace]"));
  EXPECT_TRUE(names(refusal(parts, "keyword", repeated(3, "whole"), {}, times(100, "x")),
                    "char_filter [whole] of type [pattern_replace]"));
  EXPECT_TRUE(names(refusal(parts, "keyword", {"much"}, {}, times(1000, "a")),
                    "char_filter [much] of type [mapping]"));
}

TEST(AnalysisBudget, RefusesTokenFiltersThatMultiply) {
  AnalysisBuilder parts;
  parts.spec().max_ngram_diff = 19;
  parts.tokenizer("long", "pattern", {{"pattern", {" "}}})
      .filter("grams", "ngram", {{"min_gram", {"1"}}, {"max_gram", {"20"}}})
      .filter("edges", "edge_ngram", {{"min_gram", {"1"}}, {"max_gram", {"10000"}}})
      .filter("runs", "shingle", {{"min_shingle_size", {"2"}}, {"max_shingle_size", {"4"}}})
      .filter("four", "synonym_graph", {{"synonyms", {"a => a a a a"}}})
      .filter("flat", "synonym", {{"synonyms", {"a => a a a a"}}})
      .filter("glue", "fingerprint",
              {{"separator", {times(100000, "-")}}, {"max_output_size", {"2000000000"}}})
      .filter("double", "pattern_replace", {{"pattern", {"a"}}, {"replacement", {"aa"}}});
  const std::string words = times(200, "a b c d e f g ");
  EXPECT_TRUE(names(refusal(parts, "keyword", {}, repeated(3, "grams"), times(200, "ab")),
                    "filter [grams] of type [ngram]"));
  EXPECT_TRUE(names(refusal(parts, "long", {}, {"edges"}, times(100, times(10000, "x") + " ")),
                    "filter [edges] of type [edge_ngram]"));
  EXPECT_TRUE(names(refusal(parts, "standard", {}, repeated(6, "runs"), words),
                    "filter [runs] of type [shingle]"));
  EXPECT_TRUE(names(refusal(parts, "whitespace", {}, repeated(10, "four"), times(100, "a ")),
                    "filter [four] of type [synonym_graph]"));
  EXPECT_TRUE(names(refusal(parts, "whitespace", {}, repeated(10, "flat"), times(100, "a ")),
                    "filter [flat] of type [synonym]"));
  EXPECT_TRUE(names(refusal(parts, "whitespace", {}, {"glue"},
                            "a b c d e f g h i j k l m n o p q r s t u v w x y z"),
                    "filter [glue] of type [fingerprint]"));
  EXPECT_TRUE(names(refusal(parts, "keyword", {}, repeated(40, "double"), "a"),
                    "filter [double] of type [pattern_replace]"));
}

TEST(AnalysisBudget, RefusesPathsOfManyLongBeginnings) {
  EXPECT_TRUE(names(refusal(AnalysisBuilder(), "path_hierarchy", {}, {}, times(100000, "/a")),
                    "tokenizer [path_hierarchy] of type [path_hierarchy]"));
}

TEST(AnalysisBudget, RefusesWorkThatGrowsWithTheSquareOfTheText) {
  AnalysisBuilder parts;
  parts.tokenizer("far", "pattern", {{"pattern", {"a.*b|a"}}})
      .char_filter("keys", "mapping", {{"mappings", {times(20000, "a") + "b => c", "x => y"}}})
      .filter("rule", "synonym", {{"synonyms", {times(20000, "a ") + "b => c"}}});
  const std::string text = times(400000, "a");
  EXPECT_TRUE(names(refusal(parts, "far", {}, {}, text), "tokenizer [far] of type [pattern]"));
  EXPECT_TRUE(
      names(refusal(parts, "keyword", {"keys"}, {}, text), "char_filter [keys] of type [mapping]"));
  EXPECT_TRUE(names(refusal(parts, "whitespace", {}, {"rule"}, times(400000, "a ")),
                    "filter [rule] of type [synonym]"));
}

TEST(AnalysisBudget, IsOneForAllTextsOfADocument) {
  std::string rule = "a => b";
  for (int i = 0; i < 5000; ++i) rule += ", b" + std::to_string(i);
  AnalysisBuilder parts;
  parts.filter("many", "synonym", {{"synonyms", {rule}}});
  const auto registry = parts.build();
  ASSERT_OK(registry);
  const auto analyzer = (*registry)->combine("whitespace", {}, {"many"});
  ASSERT_OK(analyzer);
  AnalysisBudget budget;
  TokenBuffer buffer;
  Status status;
  size_t accepted = 0;
  while (accepted < 100 && status.ok()) {
    status = (*analyzer)->analyze("a", buffer, budget);
    accepted += status.ok() ? 1 : 0;
  }
  EXPECT_TRUE(accepted >= 3 && accepted < 10);
  EXPECT_TRUE(names(status.reason(), "filter [many] of type [synonym]"));
}

TEST(AnalysisBudget, LetsPassWhatIsInUse) {
  AnalysisBuilder parts;
  parts.spec().max_ngram_diff = 19;
  const std::string synonyms = "tv, television, telly, television set, the box";
  parts.filter("grams", "ngram", {{"min_gram", {"1"}}, {"max_gram", {"20"}}})
      .filter("edges", "edge_ngram", {{"min_gram", {"1"}}, {"max_gram", {"20"}}})
      .filter("runs", "shingle", {{"min_shingle_size", {"2"}}, {"max_shingle_size", {"4"}}})
      .filter("tv", "synonym_graph", {{"synonyms", {synonyms}}})
      .tokenizer("letters", "ngram", {{"min_gram", {"1"}}, {"max_gram", {"20"}}})
      .char_filter("plain", "mapping", {{"mappings", {"\u00e9 => e", "& => and"}}});
  const std::string text = times(4000, "the Quick brown television \u00c9t\u00e9 & fox ");
  EXPECT_EQ(refusal(parts, "standard", {"plain"}, {"lowercase", "asciifolding", "grams"}, text),
            "");
  EXPECT_EQ(refusal(parts, "letters", {}, {"lowercase", "asciifolding", "uppercase"}, text), "");
  EXPECT_EQ(refusal(parts, "standard", {}, {"lowercase", "tv", "runs"}, text), "");
  EXPECT_EQ(refusal(parts, "standard", {}, {"lowercase", "runs", "edges"}, text), "");
  EXPECT_EQ(refusal(parts, "whitespace", {}, {"tv"}, "tv"), "");
  EXPECT_EQ(refusal(parts, "path_hierarchy", {}, {"lowercase"}, times(200, "/folder")), "");
}

/// The test checks the numbers of tokens and steps against the limits, not the time that they take.
TEST(AnalysisBudget, RandomChainsStayWithinItOrAreRefusedByName) {
  AnalysisBuilder parts;
  parts.spec().max_ngram_diff = 5;
  parts.char_filter("c0", "mapping", {{"mappings", {"a => aab", "b => ba", "ab => "}}})
      .char_filter("c1", "pattern_replace", {{"pattern", {"(a+)b"}}, {"replacement", {"$1$1 b"}}})
      .char_filter("c2", "html_strip")
      .tokenizer("t0", "standard")
      .tokenizer("t1", "whitespace")
      .tokenizer("t2", "ngram", {{"min_gram", {"1"}}, {"max_gram", {"6"}}})
      .tokenizer("t3", "path_hierarchy", {{"delimiter", {"a"}}})
      .tokenizer("t4", "pattern", {{"pattern", {"b|a.*b"}}})
      .tokenizer("t5", "edge_ngram", {{"min_gram", {"1"}}, {"max_gram", {"500"}}})
      .filter("f0", "ngram", {{"min_gram", {"1"}}, {"max_gram", {"3"}}})
      .filter("f1", "edge_ngram", {{"min_gram", {"1"}}, {"max_gram", {"20"}}})
      .filter("f2", "shingle", {{"min_shingle_size", {"2"}}, {"max_shingle_size", {"4"}}})
      .filter("f3", "synonym", {{"synonyms", {"a => a b, b a", "b, a a"}}, {"lenient", {"true"}}})
      .filter("f4", "synonym_graph",
              {{"synonyms", {"a, b b a", "b => a a"}}, {"lenient", {"true"}}})
      .filter("f5", "pattern_replace", {{"pattern", {"a|b"}}, {"replacement", {"ab"}}})
      .filter("f6", "unique")
      .filter("f7", "asciifolding", {{"preserve_original", {"true"}}})
      .filter("f8", "fingerprint", {{"max_output_size", {"100000"}}})
      .filter("f9", "lowercase");
  const auto registry = parts.build();
  ASSERT_OK(registry);
  constexpr std::array<std::string_view, 8> kBits = {"a",      "b",   " ",  "ab ",
                                                     "\u00c9", "<b>", "/a", "aaab"};
  Random random(20261126);
  size_t refused = 0;
  for (int round = 0; round < 300; ++round) {
    std::vector<std::string> char_filters;
    std::vector<std::string> filters;
    for (uint64_t n = random.below(6); n > 0; --n) {
      char_filters.push_back("c" + std::to_string(random.below(3)));
    }
    for (uint64_t n = random.below(8); n > 0; --n) {
      filters.push_back("f" + std::to_string(random.below(10)));
    }
    std::string text;
    for (uint64_t n = random.below(200); n > 0; --n) text += kBits[random.below(kBits.size())];
    const auto analyzer =
        (*registry)->combine("t" + std::to_string(random.below(6)), char_filters, filters);
    ASSERT_OK(analyzer);
    TokenBuffer buffer;
    AnalysisBudget budget;
    const Status status = (*analyzer)->analyze(text, buffer, budget);
    // 16 Ki tokens and 32 for each byte; 1 MiB of characters and 1,024 for each byte; 256 Ki steps
    // and 16,384 for each byte. A component may exceed them by one token, and by one pass over its
    // input.
    const size_t tokens = (size_t{16} << 10) + 32 * text.size() + 1;
    const size_t characters = (size_t{1} << 20) + 1024 * text.size();
    const size_t steps = (size_t{256} << 10) + 16384 * text.size();
    EXPECT_TRUE(buffer.tokens.size() <= 2 * tokens);
    EXPECT_TRUE(buffer.arena.used() <= 3 * characters);
    EXPECT_TRUE(budget.steps() <= steps + 16 * tokens + characters);
    if (status.ok()) {
      EXPECT_TRUE(buffer.tokens.size() <= tokens);
      continue;
    }
    ++refused;
    EXPECT_TRUE(status.type() == ErrorType::kIllegalArgument);
    EXPECT_TRUE(status.reason().find("filter [") != std::string::npos ||
                status.reason().starts_with("tokenizer ["));
  }
  EXPECT_TRUE(refused > 10 && refused < 290);
}

TEST(Synonyms, OfAnIndexComeToSoManyWords) {
  std::string rule = "w0";
  for (int i = 1; i < 2000; ++i) rule += ", w" + std::to_string(i);
  AnalysisBuilder parts;
  parts.filter("all", "synonym", {{"synonyms", {rule}}});
  EXPECT_EQ(parts.refusal(),
            "filter [all] of type [synonym]: the synonyms of an index may come to [2097152] words, "
            "where each term of a rule counts with all that it becomes; line 1 exceeds that");
}

TEST(Registry, AnAnalyzerHasSoManyFilters) {
  AnalysisBuilder parts;
  parts.analyzer("long", "custom",
                 {{"tokenizer", {"keyword"}}, {"filter", repeated(257, "lowercase")}});
  EXPECT_EQ(parts.refusal(), "an analyzer may have [256] of [filter] but one has [257]");
}

}  // namespace quarry::analysis_budget_test
