// The analyzers that exist without being defined: standard, simple, whitespace, keyword, stop and
// the languages.
#include "text/case_filters.h"
#include "text/char_tokenizers.h"
#include "text/factories.h"
#include "text/porter.h"
#include "text/standard_tokenizer.h"
#include "text/stem_filter.h"
#include "text/stop_filter.h"

namespace quarry {
namespace {

using Make = Chain (*)(OptionReader& options);

/// Adds a stop filter of the `stopwords` option, or of `fallback` ("_none_", "_english_") without
/// one.
void add_stop(OptionReader& options, std::string_view fallback, Chain& chain) {
  options.refuse("stopwords_path", "list the words in [stopwords]");
  std::vector<std::string> given = options.list("stopwords");
  if (!options.has("stopwords")) given.emplace_back(fallback);
  auto words = resolve_stop_words(given);
  if (!words.ok()) {
    options.fail("option [stopwords]: " + words.status().reason());
    return;
  }
  if (words->empty()) return;
  chain.filters.push_back(std::make_shared<StopFilter>(TermSet(*words), StopFilter::Options{}));
}

Chain make_standard(OptionReader& options) {
  Chain chain;
  chain.tokenizer = std::make_shared<StandardTokenizer>(
      options.number("max_token_length", kDefaultMaxTokenLength, 1, 1024 * 1024));
  chain.filters.push_back(std::make_shared<LowercaseFilter>());
  add_stop(options, "_none_", chain);
  return chain;
}

Chain make_simple(OptionReader&) {
  Chain chain;
  chain.tokenizer = make_letter_tokenizer(true);
  // The tokenizer lower-cases already; the filter is here for single terms.
  chain.filters.push_back(std::make_shared<LowercaseFilter>());
  return chain;
}

Chain make_stop(OptionReader& options) {
  Chain chain = make_simple(options);
  add_stop(options, "_english_", chain);
  return chain;
}

Chain make_whitespace(OptionReader&) {
  Chain chain;
  chain.tokenizer = make_whitespace_tokenizer(kDefaultMaxTokenLength);
  return chain;
}

Chain make_keyword(OptionReader&) {
  Chain chain;
  chain.tokenizer = std::make_shared<KeywordTokenizer>();
  return chain;
}

Chain make_english(OptionReader& options) {
  Chain chain;
  chain.tokenizer = std::make_shared<StandardTokenizer>();
  chain.filters.push_back(std::make_shared<LowercaseFilter>());
  chain.filters.push_back(std::make_shared<PossessiveFilter>());
  add_stop(options, "_english_", chain);
  chain.filters.push_back(std::make_shared<PorterFilter>());
  return chain;
}

struct AnalyzerType {
  std::string_view type;
  Make make;
};
constexpr AnalyzerType kTypes[] = {
    {"english", make_english},   {"keyword", make_keyword}, {"simple", make_simple},
    {"standard", make_standard}, {"stop", make_stop},       {"whitespace", make_whitespace},
};

const AnalyzerType* find_type(std::string_view type) {
  for (const AnalyzerType& entry : kTypes) {
    if (entry.type == type) return &entry;
  }
  return nullptr;
}

}  // namespace

bool is_builtin_analyzer(std::string_view type) { return find_type(type) != nullptr; }

std::vector<std::string_view> builtin_analyzer_names() {
  std::vector<std::string_view> names;
  for (const AnalyzerType& entry : kTypes) names.push_back(entry.type);
  return names;
}

Result<Chain> make_builtin_analyzer(std::string_view name, const ComponentSpec& spec) {
  const AnalyzerType* entry = find_type(spec.type);
  if (entry == nullptr) {
    return Status(ErrorType::kIllegalArgument,
                  "Unknown analyzer type [" + spec.type + "] for [" + std::string(name) + "]");
  }
  OptionReader options("analyzer", name, spec);
  Chain chain = entry->make(options);
  chain.position_increment_gap = options.number(
      "position_increment_gap", Analyzer::kDefaultPositionIncrementGap, 0, INT32_MAX);
  QUARRY_RETURN_IF_ERROR(options.finish());
  return chain;
}

}  // namespace quarry
