// Component type and options to component. Every factory reads all options of its type; others are
// left aside, as Elasticsearch leaves them.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "text/analysis/analyzer.h"
#include "text/analysis/chain.h"
#include "text/analysis/components.h"
#include "text/analysis/options.h"

namespace quarry {

/// Index settings that bound what components may produce.
struct AnalysisLimits {
  uint32_t max_ngram_diff = 1;
  uint32_t max_shingle_diff = 3;
};

/// What a token filter may need beyond its options.
struct FilterContext {
  AnalysisLimits limits;
  /// The components before the filter: synonym rules are analysed with them.
  const Chain& before;
  /// Words of the synonyms made so far for the same index.
  size_t& synonym_words;
};

/// Unknown types give "Unknown <kind> type [x] for [name]".
Result<TokenizerPtr> make_tokenizer(std::string_view name, const ComponentSpec& spec,
                                    const AnalysisLimits& limits);
Result<TokenFilterPtr> make_token_filter(std::string_view name, const ComponentSpec& spec,
                                         const FilterContext& context);
Result<CharFilterPtr> make_char_filter(std::string_view name, const ComponentSpec& spec);

/// Is there a component type of that name? (Used to answer "no such component" for unknown names.)
bool is_tokenizer_type(std::string_view type);
bool is_token_filter_type(std::string_view type);
bool is_char_filter_type(std::string_view type);

/// Analyzer types other than custom ("standard", "english" ...), with their options.
Result<Chain> make_builtin_analyzer(std::string_view name, const ComponentSpec& spec);
std::vector<std::string_view> builtin_analyzer_names();

/// The algorithm behind a `stemmer` language of Elasticsearch, as StemFilter takes it, or empty.
std::string_view stemmer_algorithm(std::string_view language);
/// The same of a `snowball` language, in which case does not count and English is the revised
/// Porter algorithm.
std::string_view snowball_algorithm(std::string_view language);

}  // namespace quarry
