// Creates components from their type and options. Every factory reads all options of its type and
// ignores all others, as Elasticsearch does.
#pragma once

#include <functional>
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

/// Index settings that limit the output of components, and the version of the index's analyzers.
struct AnalysisLimits {
  uint32_t max_ngram_diff = 1;
  uint32_t max_shingle_diff = 3;
  uint32_t version = kAnalysisVersion;
};

using FindFilter =
    std::function<Result<ChainPart<TokenFilter>>(std::string_view name, const Chain& before)>;

/// The context of a token filter in addition to its options.
struct FilterContext {
  AnalysisLimits limits;
  /// The components before the filter, with which synonym rules are analyzed.
  const Chain& before;
  /// The number of words of the synonyms created so far for the same index.
  size_t& synonym_words;
  /// The filter of a name in the index behind the components of a chain, for filters that are made
  /// of others; an error when there is none.
  const FindFilter& find_filter;
};

/// The error for an unknown type is "Unknown <kind> type [x] for [name]".
Result<TokenizerPtr> make_tokenizer(std::string_view name, const ComponentSpec& spec,
                                    const AnalysisLimits& limits);
Result<TokenFilterPtr> make_token_filter(std::string_view name, const ComponentSpec& spec,
                                         const FilterContext& context);
Result<CharFilterPtr> make_char_filter(std::string_view name, const ComponentSpec& spec);

/// A type of component that is not supported, and how to write it otherwise.
struct UnsupportedType {
  std::string_view type;
  std::string_view remedy;
};
const UnsupportedType* find_unsupported_filter(std::string_view type);
const UnsupportedType* find_unsupported_tokenizer(std::string_view type);
const UnsupportedType* find_unsupported_analyzer(std::string_view type);
/// A language of the `stemmer` filter, in lower case.
const UnsupportedType* find_unsupported_stemmer(std::string_view language);
/// The error for a component `kind` "filter", "tokenizer" or "analyzer" of that type.
Status unsupported_type(std::string_view kind, std::string_view name, const UnsupportedType& type);

/// Whether a component type has that name, or one that is not supported. An unknown name is then
/// reported as "no such component".
bool is_tokenizer_type(std::string_view type);
bool is_token_filter_type(std::string_view type);
bool is_char_filter_type(std::string_view type);

/// Analyzer types other than custom ("standard", "english" …), with their options.
Result<Chain> make_builtin_analyzer(std::string_view name, const ComponentSpec& spec,
                                    uint32_t version);
std::vector<std::string_view> builtin_analyzer_names();

/// The algorithm of a language of Elasticsearch's `stemmer` filter, as a StemFilter argument; empty
/// when there is none.
std::string_view stemmer_algorithm(std::string_view language, uint32_t version);
/// The same for a language of the `snowball` filter, which ignores case and where English is the
/// revised Porter algorithm.
std::string_view snowball_algorithm(std::string_view language);

}  // namespace quarry
