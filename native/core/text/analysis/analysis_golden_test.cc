// Analysis compared with the output of Lucene: tokens of the standard analyzer, Porter stems. The
// golden files are outside the repository (QUARRY_SHARED, or the folder ../shared); without them
// these tests print a message and pass.
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <optional>
#include <string>

#include "testing/test.h"
#include "text/analysis/analyzer.h"
#include "text/analysis/utf8.h"

namespace quarry::analysis_golden_test {
std::optional<std::ifstream> open_golden(const std::string& file) {
  const char* shared = std::getenv("QUARRY_SHARED");
  for (const std::string& root :
       {std::string(shared == nullptr ? "" : shared), std::string("../shared"),
        std::string("../../shared"), std::string("../../../shared")}) {
    std::ifstream in(root + "/lexical/golden/" + file);
    if (in.good()) return in;
  }
  std::cout << "skipped: no " << file << " (set QUARRY_SHARED)\n";
  return std::nullopt;
}

/// Parses just enough JSON for lines of {"text":..,"tokens":[{"token":..,"start_offset":..}]}.
class GoldenLine {
 public:
  explicit GoldenLine(std::string_view line) : rest_(line) {}

  bool seek(std::string_view key) {
    const std::string wanted = "\"" + std::string(key) + "\":";
    const size_t at = rest_.find(wanted);
    if (at == std::string_view::npos) return false;
    rest_.remove_prefix(at + wanted.size());
    return true;
  }
  uint32_t number() {
    return static_cast<uint32_t>(
        std::strtoul(std::string(rest_.substr(0, 10)).c_str(), nullptr, 10));
  }
  std::string string() {
    std::string out;
    rest_.remove_prefix(1);
    while (!rest_.starts_with('"')) {
      if (rest_.starts_with("\\u")) {
        append_utf8(
            out, static_cast<uint32_t>(std::stoul(std::string(rest_.substr(2, 4)), nullptr, 16)));
        rest_.remove_prefix(6);
      } else if (rest_.starts_with('\\')) {
        const char c = rest_[1];
        out += c == 'n' ? '\n' : c == 't' ? '\t' : c == 'r' ? '\r' : c;
        rest_.remove_prefix(2);
      } else {
        out += rest_[0];
        rest_.remove_prefix(1);
      }
    }
    return out;
  }

 private:
  std::string_view rest_;
};

void compare_line(const Analyzer& analyzer, const std::string& line) {
  GoldenLine golden(line);
  ASSERT_TRUE(golden.seek("text"));
  const std::string text = golden.string();
  TokenBuffer tokens;
  EXPECT_OK(analyzer.analyze(text, tokens));
  const auto units = [&](uint32_t at) {
    return utf16_length(std::string_view(text).substr(0, at));
  };
  for (const Token& token : tokens.tokens) {
    ASSERT_TRUE(golden.seek("token"));
    EXPECT_EQ(std::string(token.text), golden.string());
    ASSERT_TRUE(golden.seek("start_offset"));
    EXPECT_EQ(units(token.start), golden.number());
    ASSERT_TRUE(golden.seek("end_offset"));
    EXPECT_EQ(units(token.end), golden.number());
    ASSERT_TRUE(golden.seek("type"));
    EXPECT_EQ(std::string(token.type), golden.string());
    ASSERT_TRUE(golden.seek("position"));
    EXPECT_EQ(token.position, golden.number());
  }
  EXPECT_FALSE(golden.seek("token"));
}

TEST(AnalysisGolden, StandardAnalyzerFindsTheTokensOfLucene) {
  auto in = open_golden("standard_tokens.ndjson");
  if (!in) return;
  const Analyzer* standard = builtin_analysis()->analyzer("standard");
  ASSERT_TRUE(standard != nullptr);
  std::string line;
  while (std::getline(*in, line)) compare_line(*standard, line);
}

TEST(AnalysisGolden, PorterStemsAreThoseOfLucene) {
  auto in = open_golden("porter.tsv");
  if (!in) return;
  const auto registry = builtin_analysis();
  const auto porter = registry->combine("keyword", {}, {"porter_stem"});
  ASSERT_OK(porter);
  TokenBuffer tokens;
  std::string line;
  while (std::getline(*in, line)) {
    const size_t tab = line.find('\t');
    const std::string word = line.substr(0, tab);
    EXPECT_TRUE(porter.value()->analyze(word, tokens).ok());
    ASSERT_EQ(tokens.tokens.size(), 1);
    EXPECT_EQ(word + " " + std::string(tokens.tokens[0].text), word + " " + line.substr(tab + 1));
  }
}

}  // namespace quarry::analysis_golden_test
