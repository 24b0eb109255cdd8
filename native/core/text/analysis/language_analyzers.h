// The language analyzers ("english", "french" …): standard tokenizer, lowercase, stop words,
// stemmer.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "text/analysis/chain.h"
#include "text/analysis/options.h"

namespace quarry {

bool is_analyzer_language(std::string_view language);
std::vector<std::string_view> analyzer_languages();

/// The options are `stopwords`, `stem_exclusion` and, for languages with a light stemmer,
/// `stemmer`: light (the default) or snowball.
Chain make_language_chain(OptionReader& options, std::string_view language, uint32_t version);

/// Adds a stop filter with the words of the `stopwords` option, or of `fallback` ("_none_",
/// "_english_") when the option is absent.
void add_stop(OptionReader& options, std::string_view fallback, uint32_t version, Chain& chain);

}  // namespace quarry
