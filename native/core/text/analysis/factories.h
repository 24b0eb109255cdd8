// Creates components from their type and options. Every factory reads all options of its type and
// ignores all others, as Elasticsearch does.
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

/// Index settings that limit the output of components.
struct AnalysisLimits {
  uint32_t max_ngram_diff = 1;
  uint32_t max_shingle_diff = 3;
};

/// The context of a token filter in addition to its options.
struct FilterContext {
  AnalysisLimits limits;
  /// The components before the filter, with which synonym rules are analyzed.
  const Chain& before;
  /// The number of words of the synonyms created so far for the same index.
  size_t& synonym_words;
};

/// The error for an unknown type is "Unknown <kind> type [x] for [name]".
Result<TokenizerPtr> make_tokenizer(std::string_view name, const ComponentSpec& spec,
                                    const AnalysisLimits& limits);
Result<TokenFilterPtr> make_token_filter(std::string_view name, const ComponentSpec& spec,
                                         const FilterContext& context);
Result<CharFilterPtr> make_char_filter(std::string_view name, const ComponentSpec& spec);

/// Whether a component type has that name. An unknown name is then reported as "no such component".
bool is_tokenizer_type(std::string_view type);
bool is_token_filter_type(std::string_view type);
bool is_char_filter_type(std::string_view type);

/// Analyzer types other than custom ("standard", "english" …), with their options.
Result<Chain> make_builtin_analyzer(std::string_view name, const ComponentSpec& spec);
std::vector<std::string_view> builtin_analyzer_names();

/// The algorithm of a language of Elasticsearch's `stemmer` filter, as a StemFilter argument; empty
/// when there is none.
std::string_view stemmer_algorithm(std::string_view language);
/// The same for a language of the `snowball` filter, which ignores case and where English is the
/// revised Porter algorithm.
std::string_view snowball_algorithm(std::string_view language);

}  // namespace quarry
