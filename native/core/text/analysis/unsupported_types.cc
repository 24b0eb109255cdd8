// Types of components that Elasticsearch has and this service refuses by name.
#include <algorithm>
#include <iterator>
#include <span>
#include <string>

#include "text/analysis/factories.h"

namespace quarry {
namespace {

constexpr UnsupportedType kUnsupportedFilters[] = {
    {"condition", "write two analyzers and choose one for each field"},
    {"conditional", "write two analyzers and choose one for each field"},
    {"delimited_payload", "payloads are not kept; use [pattern_replace] to remove them"},
    {"hunspell", "use [stemmer] with the language, or [stemmer_override] with rules"},
    {"hyphenation_decompounder", "use [dictionary_decompounder] with the same [word_list]"},
    {"icu_collation", "use [lowercase] and [asciifolding] in a normalizer"},
    {"icu_transform", "use a [mapping] char filter"},
    {"min_hash", "index the tokens themselves"},
    {"phonetic", "list the spellings in [synonym]"},
    {"predicate_token_filter", "use [keep], [length] or [pattern_replace] with [length]"},
    {"brazilian_stem", "use [stemmer] with language [portuguese] or [light_portuguese]"},
    {"german_stem", "use [stemmer] with language [german] or [light_german]"},
};
constexpr UnsupportedType kUnsupportedTokenizers[] = {
    {"icu_tokenizer", "use [standard], with the filter [cjk_bigram] for Chinese and Japanese"},
    {"simple_pattern", "use [pattern] with [group] 0"},
    {"simple_pattern_split", "use [pattern]"},
    {"thai", "use [ngram]; Thai words need a dictionary that is not part of this service"},
};
constexpr UnsupportedType kUnsupportedAnalyzers[] = {
    {"brazilian", "use [portuguese]"},
    {"estonian", "use [standard] with [stopwords]"},
    {"galician", "use [portuguese] or [spanish]"},
    {"icu_analyzer", "use [standard] with the filters [lowercase] and [asciifolding]"},
    {"thai",
     "use a custom analyzer with [ngram]; Thai words need a dictionary that is not part of "
     "this service"},
};

constexpr UnsupportedType kUnsupportedStemmers[] = {
    {"brazilian", "use [portuguese] or [light_portuguese]"},
    {"dutch_kp", "use [dutch]"},
    {"dutchkp", "use [dutch]"},
    {"estonian", "use [stemmer_override] with rules"},
    {"galician", "use [portuguese] or [spanish]"},
    {"german2", "use [german], with the filter [german_normalization] before it"},
    {"kp", "use [dutch]"},
    {"minimal_galician", "use [light_portuguese] or [light_spanish]"},
    {"portuguese_rslp", "use [portuguese] or [minimal_portuguese]"},
    {"spanish_plural", "use [light_spanish]"},
    {"lovins", "use [porter2] or [english]"},
};

const UnsupportedType* find_type(std::span<const UnsupportedType> types, std::string_view type) {
  const auto at = std::find_if(types.begin(), types.end(),
                               [type](const UnsupportedType& one) { return one.type == type; });
  return at == types.end() ? nullptr : &*at;
}

}  // namespace

const UnsupportedType* find_unsupported_filter(std::string_view type) {
  return find_type(kUnsupportedFilters, type);
}
const UnsupportedType* find_unsupported_tokenizer(std::string_view type) {
  return find_type(kUnsupportedTokenizers, type);
}
const UnsupportedType* find_unsupported_analyzer(std::string_view type) {
  return find_type(kUnsupportedAnalyzers, type);
}
const UnsupportedType* find_unsupported_stemmer(std::string_view language) {
  return find_type(kUnsupportedStemmers, language);
}

Status unsupported_type(std::string_view kind, std::string_view name, const UnsupportedType& type) {
  return {ErrorType::kIllegalArgument,
          std::string(kind) + " [" + std::string(name) + "] has type [" + std::string(type.type) +
              "], which is not supported: " + std::string(type.remedy)};
}

}  // namespace quarry
