// The language analyzers ("english", "french" …): standard tokenizer, lowercase, stop words,
// stemmer.
#pragma once

#include <string_view>
#include <vector>

#include "text/analysis/chain.h"
#include "text/analysis/options.h"

namespace quarry {

bool is_analyzer_language(std::string_view language);
std::vector<std::string_view> analyzer_languages();

/// The languages with a light stemmer, which used only Snowball's stemmer in indexes of analysis
/// version 1 (engine/catalog/index_spec.h).
std::vector<std::string_view> light_languages();

/// The options are `stopwords`, `stem_exclusion` and, for languages with a light stemmer,
/// `stemmer`: light (the default) or snowball.
Chain make_language_chain(OptionReader& options, std::string_view language);

/// Adds a stop filter with the words of the `stopwords` option, or of `fallback` ("_none_",
/// "_english_") when the option is absent.
void add_stop(OptionReader& options, std::string_view fallback, Chain& chain);

}  // namespace quarry
