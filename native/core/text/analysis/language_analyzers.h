// The language analyzers ("english", "french" ...): standard tokenizer, lower case, stop words,
// stemmer.
#pragma once

#include <string_view>
#include <vector>

#include "text/analysis/chain.h"
#include "text/analysis/options.h"

namespace quarry {

bool is_analyzer_language(std::string_view language);
std::vector<std::string_view> analyzer_languages();

/// Those whose stemmer was Snowball's alone in indexes of analysis version 1 (engine/catalog/index_spec.h).
std::vector<std::string_view> light_languages();

/// Options: `stopwords`, `stem_exclusion` and, of languages with a light stemmer, `stemmer`: light (the default) or
/// snowball.
Chain make_language_chain(OptionReader& options, std::string_view language);

/// Adds a stop filter of the `stopwords` option, or of `fallback` ("_none_", "_english_") without
/// one.
void add_stop(OptionReader& options, std::string_view fallback, Chain& chain);

}  // namespace quarry
