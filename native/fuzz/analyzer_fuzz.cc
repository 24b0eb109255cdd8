// Analysis of arbitrary text by every built-in analyzer and by a chain of the components that
// compute offsets. Tokens must be inside the text, in order, with ends after starts. The first byte
// selects the analyzer; the rest is the text.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "text/analysis/analyzer.h"
#include "text/regex/regex.h"

namespace {

void require(bool holds) {
  if (!holds) std::abort();
}

void check(const quarry::Analyzer& analyzer, std::string_view text) {
  quarry::TokenBuffer buffer;
  // Text that exceeds the budget is rejected and has no tokens to check.
  if (!analyzer.analyze(text, buffer).ok()) return;
  uint32_t position = 0;
  for (const quarry::Token& token : buffer.tokens) {
    require(token.start <= token.end && token.end <= text.size());
    require(token.position >= position && token.position < buffer.end_position);
    position = token.position;
  }
  static_cast<void>(analyzer.normalize(text));
}

quarry::AnalysisSpec strange_spec() {
  quarry::AnalysisSpec spec;
  spec.char_filters["map"] = {"mapping",
                              {{"mappings", {"a => \u00e9\u00e9", "<b => ", "\u00e9 => e"}}}};
  spec.char_filters["cut"] = {"pattern_replace",
                              {{"pattern", {"(x+)|\\s\\s"}}, {"replacement", {"$1-"}}}};
  spec.filters["syn"] = {"synonym", {{"synonyms", {"a b => c", "d, e f", "g => h i j"}}}};
  spec.analyzers["markup"] = {"custom",
                              {{"char_filter", {"html_strip", "map", "cut"}},
                               {"tokenizer", {"standard"}},
                               {"filter", {"lowercase", "syn", "stop", "shingle"}}}};
  spec.analyzers["grams"] = {
      "custom",
      {{"tokenizer", {"ngram"}},
       {"filter", {"asciifolding", "unique", "edge_ngram", "reverse", "trim"}}}};
  spec.analyzers["pattern"] = {"pattern", {{"pattern", {"(\\d+|[^a-z]|$)"}}}};
  spec.analyzers["path"] = {"custom", {{"tokenizer", {"path_hierarchy"}}, {"filter", {"elision"}}}};
  return spec;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  constexpr std::string_view kNames[] = {
      "standard",    "simple",  "whitespace", "keyword", "stop",   "english", "french",
      "greek",       "turkish", "irish",      "arabic",  "hindi",  "german",  "pattern",
      "fingerprint", "markup",  "grams",      "path",    "pattern"};
  static const auto kRegistry = quarry::AnalysisRegistry::create(strange_spec());
  require(kRegistry.ok());
  if (size == 0) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  if (data[0] == 255) {
    static_cast<void>(quarry::Regex::compile(text));
    return 0;
  }
  check(*(*kRegistry)->analyzer(kNames[data[0] % std::size(kNames)]), text);
  return 0;
}
