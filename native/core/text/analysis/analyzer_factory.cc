// The predefined analyzers: standard, simple, whitespace, keyword, stop, pattern, fingerprint,
// snowball. The language analyzers are in language_analyzers.cc, and memory is in
// memory_analyzer.cc.
#include "text/analysis/factories.h"
#include "text/analysis/language_analyzers.h"
#include "text/analysis/memory_analyzer.h"
#include "text/analysis/pattern_options.h"
#include "text/analysis/unicode.h"
#include "text/filters/case_filters.h"
#include "text/filters/cjk_bigram_filter.h"
#include "text/filters/normalization_filter.h"
#include "text/filters/word_filters.h"
#include "text/stemmers/stem_filter.h"
#include "text/tokenizers/char_tokenizers.h"
#include "text/tokenizers/standard_tokenizer.h"

namespace quarry {

namespace {

using MakeAnalyzer = Chain (*)(OptionReader& options, uint32_t version);

Chain make_standard_analyzer(OptionReader& options, uint32_t version) {
  Chain chain;
  chain.tokenizer = std::make_shared<StandardTokenizer>(
      options.number("max_token_length", kDefaultMaxTokenLength, 1, 1024 * 1024));
  chain.filters.push_back(std::make_shared<LowercaseFilter>());
  add_stop(options, "_none_", version, chain);
  return chain;
}

Chain make_simple_analyzer(OptionReader&, uint32_t) {
  Chain chain;
  chain.tokenizer = make_letter_tokenizer(true);
  // The tokenizer already lowercases; the filter is needed to normalize single terms.
  chain.filters.push_back(std::make_shared<LowercaseFilter>());
  return chain;
}

Chain make_stop_analyzer(OptionReader& options, uint32_t version) {
  Chain chain = make_simple_analyzer(options, version);
  add_stop(options, "_english_", version, chain);
  return chain;
}

Chain make_whitespace_analyzer(OptionReader&, uint32_t) {
  Chain chain;
  chain.tokenizer = make_whitespace_tokenizer(kDefaultMaxTokenLength);
  return chain;
}

Chain make_keyword_analyzer(OptionReader&, uint32_t) {
  Chain chain;
  chain.tokenizer = std::make_shared<KeywordTokenizer>();
  return chain;
}

Chain make_pattern_analyzer(OptionReader& options, uint32_t version) {
  Chain chain;
  chain.tokenizer = make_pattern_tokenizer(options);
  if (options.flag("lowercase", true)) chain.filters.push_back(std::make_shared<LowercaseFilter>());
  add_stop(options, "_none_", version, chain);
  return chain;
}

Chain make_fingerprint_analyzer(OptionReader& options, uint32_t version) {
  Chain chain;
  chain.tokenizer = std::make_shared<StandardTokenizer>();
  chain.filters.push_back(std::make_shared<LowercaseFilter>());
  chain.filters.push_back(std::make_shared<AsciiFoldingFilter>(false));
  add_stop(options, "_none_", version, chain);
  const std::string separator = options.text("separator", " ");
  chain.filters.push_back(std::make_shared<FingerprintFilter>(
      separator, options.number("max_output_size", 255, 0, INT32_MAX)));
  return chain;
}

/// The stop words that the analyzer uses by default.
std::string_view snowball_stop_words(std::string_view language) {
  if (language == "english") return "_english_";
  if (language == "dutch") return "_dutch_";
  if (language == "french") return "_french_";
  return language == "german" ? "_german_" : "_none_";
}

Chain make_snowball_analyzer(OptionReader& options, uint32_t version) {
  const std::string_view option =
      options.has("name") && !options.has("language") ? "name" : "language";
  const std::string given = options.text(option, "English");
  const std::string language = to_lower(given);
  const std::string_view algorithm = snowball_algorithm(language);
  Chain chain;
  chain.tokenizer = std::make_shared<StandardTokenizer>();
  chain.filters.push_back(std::make_shared<LowercaseFilter>());
  if (language == "english" || language == "porter")
    chain.filters.push_back(std::make_shared<PossessiveFilter>());
  add_stop(options, snowball_stop_words(language), version, chain);
  if (algorithm.empty()) {
    options.fail("option [" + std::string(option) + "]: no stemmer is named [" + given + "]");
  } else {
    chain.filters.push_back(std::make_shared<StemFilter>(std::string(algorithm)));
  }
  return chain;
}

/// Standard words without English stop words, for the old name of a language.
Chain make_chinese_analyzer(OptionReader& options, uint32_t version) {
  Chain chain;
  chain.tokenizer = std::make_shared<StandardTokenizer>();
  chain.filters.push_back(std::make_shared<LowercaseFilter>());
  add_stop(options, "_english_", version, chain);
  return chain;
}

Chain make_cjk_analyzer(OptionReader& options, uint32_t version) {
  Chain chain;
  chain.tokenizer = std::make_shared<StandardTokenizer>();
  chain.filters.push_back(std::make_shared<NormalizationFilter>(normalize_cjk_width));
  chain.filters.push_back(std::make_shared<LowercaseFilter>());
  chain.filters.push_back(std::make_shared<CjkBigramFilter>(CjkBigramFilter::Options{}));
  add_stop(options, "_cjk_", version, chain);
  return chain;
}

struct AnalyzerType {
  std::string_view type;
  MakeAnalyzer make;
};
constexpr AnalyzerType kAnalyzerTypes[] = {
    {"chinese", make_chinese_analyzer},
    {"cjk", make_cjk_analyzer},
    {"fingerprint", make_fingerprint_analyzer},
    {"keyword", make_keyword_analyzer},
    {"memory", make_memory_chain},
    {"pattern", make_pattern_analyzer},
    {"simple", make_simple_analyzer},
    {"snowball", make_snowball_analyzer},
    {"standard", make_standard_analyzer},
    {"stop", make_stop_analyzer},
    {"whitespace", make_whitespace_analyzer},
};

const AnalyzerType* find_analyzer_type(std::string_view type) {
  for (const AnalyzerType& entry : kAnalyzerTypes) {
    if (entry.type == type) return &entry;
  }
  return nullptr;
}

/// Errors of components without a name use the name of the analyzer.
void label_parts(const std::string& label, Chain& chain) {
  chain.tokenizer.label = label;
  for (ChainPart<TokenFilter>& filter : chain.filters) filter.label = label;
}

}  // namespace

std::vector<std::string_view> builtin_analyzer_names() {
  std::vector<std::string_view> names;
  for (const AnalyzerType& entry : kAnalyzerTypes) names.push_back(entry.type);
  for (const std::string_view language : analyzer_languages()) names.push_back(language);
  return names;
}

Result<Chain> make_builtin_analyzer(std::string_view name, const ComponentSpec& spec,
                                    uint32_t version) {
  const AnalyzerType* entry = find_analyzer_type(spec.type);
  const bool language = entry == nullptr && is_analyzer_language(spec.type);
  if (entry == nullptr && !language) {
    if (const UnsupportedType* known = find_unsupported_analyzer(spec.type))
      return unsupported_type("analyzer", name, *known);
    return Status(ErrorType::kIllegalArgument,
                  "Unknown analyzer type [" + spec.type + "] for [" + std::string(name) + "]");
  }
  OptionReader options("analyzer", name, spec);
  Chain chain =
      language ? make_language_chain(options, spec.type, version) : entry->make(options, version);
  chain.position_increment_gap = options.number(
      "position_increment_gap", Analyzer::kDefaultPositionIncrementGap, 0, INT32_MAX);
  QUARRY_RETURN_IF_ERROR(options.finish());
  label_parts(component_label("analyzer", name, spec), chain);
  return chain;
}

}  // namespace quarry
