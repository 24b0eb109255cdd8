// The components of analysis compared with the output of Lucene 9.12 for texts of 20 scripts and
// odd shapes: terms, offsets in UTF-16 units, positions, position lengths and types
// (test/golden/analysis/components.json).
#include <fstream>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "json/value.h"
#include "testing/analysis.h"
#include "text/analysis/utf16_offsets.h"

namespace quarry::components_golden_test {

JsonValue read_golden() {
  std::ifstream in(std::string(QUARRY_SOURCE_DIR) + "/test/golden/analysis/components.json");
  std::ostringstream text;
  text << in.rdbuf();
  auto golden = JsonValue::parse(text.str());
  EXPECT_TRUE(golden.ok());
  return golden.ok() ? std::move(*golden) : JsonValue::object();
}

std::vector<std::string> values_of(const JsonValue& value) {
  if (!value.is_array()) return {std::string(value.text())};
  std::vector<std::string> out;
  for (const JsonValue& item : value.items()) out.emplace_back(item.text());
  return out;
}

/// A component: a name, or a definition with its type and options.
ComponentSpec spec_of(const JsonValue& value) {
  ComponentSpec spec;
  if (value.is_string()) {
    spec.type = value.text();
    return spec;
  }
  for (const auto& [key, option] : value.members()) {
    if (key == "type") {
      spec.type = option.text();
    } else {
      spec.options[key] = values_of(option);
    }
  }
  return spec;
}

/// "term|start|end|position|position length|type", one line for each token.
std::string show(const TokenBuffer& buffer, std::string_view text) {
  const Utf16Offsets offsets(text);
  std::string out;
  for (const Token& token : buffer.tokens) {
    if (!out.empty()) out += '\n';
    std::string term(token.text);
    for (size_t bar = term.find('|'); bar != std::string::npos; bar = term.find('|', bar + 6)) {
      term.replace(bar, 1, "\\u007c");
    }
    out += term + "|" + std::to_string(offsets.at(token.start)) + "|" +
           std::to_string(offsets.at(token.end)) + "|" + std::to_string(token.position) + "|" +
           std::to_string(token.position_length) + "|" + token.type;
  }
  return out;
}

/// The analyzer of a form, in a registry that it lives in.
std::pair<std::shared_ptr<const AnalysisRegistry>, std::unique_ptr<Analyzer>> build(
    const JsonValue& form) {
  AnalysisSpec spec;
  spec.tokenizers["t"] = spec_of(*form.find("tokenizer"));
  std::vector<std::string> names;
  for (const JsonValue& filter : form.find("filter")->items()) {
    names.push_back("f" + std::to_string(names.size()));
    spec.filters[names.back()] = spec_of(filter);
  }
  std::vector<std::string> char_names;
  if (const JsonValue* char_filters = form.find("char_filter")) {
    for (const JsonValue& char_filter : char_filters->items()) {
      char_names.push_back("c" + std::to_string(char_names.size()));
      spec.char_filters[char_names.back()] = spec_of(char_filter);
    }
  }
  auto registry = AnalysisRegistry::create(spec);
  EXPECT_OK(registry.status());
  auto analyzer = (*registry)->combine("t", char_names, names);
  EXPECT_OK(analyzer.status());
  return {*registry, std::move(*analyzer)};
}

TEST(ComponentsGolden, TokensAreThoseOfLucene) {
  const JsonValue golden = read_golden();
  const JsonValue* texts = golden.find("texts");
  ASSERT_TRUE(texts != nullptr);
  size_t compared = 0;
  for (const JsonValue& form : golden.find("forms")->items()) {
    const std::string name(form.find("name")->text());
    const JsonValue& definition = *form.find("analyzer");
    const JsonValue* built_in = definition.find("type");
    const auto own =
        built_in == nullptr
            ? build(definition)
            : std::pair<std::shared_ptr<const AnalysisRegistry>, std::unique_ptr<Analyzer>>();
    const Analyzer* analyzer =
        built_in == nullptr ? own.second.get() : builtin_analysis()->analyzer(built_in->text());
    ASSERT_TRUE(analyzer != nullptr);
    for (const auto& [key, expected] : form.find("cases")->members()) {
      const std::string text(texts->find(key)->text());
      TokenBuffer tokens;
      EXPECT_OK(analyzer->analyze(text, tokens));
      EXPECT_EQ(name + " " + key + "\n" + show(tokens, text),
                name + " " + key + "\n" + std::string(expected.items()[0].text()));
      EXPECT_EQ(std::to_string(tokens.end_position), std::string(expected.items()[1].text()));
      ++compared;
    }
  }
  EXPECT_TRUE(compared > 500);
}

}  // namespace quarry::components_golden_test
