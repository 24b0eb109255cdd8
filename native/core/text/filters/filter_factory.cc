// Creates token filters by type.
#include "text/filters/filter_makers.h"
#include "text/filters/normalization_filter.h"
#include "text/stemmers/stem_filter.h"

namespace quarry {
namespace {

using MakeFilter = TokenFilterPtr (*)(OptionReader& options, const FilterContext& context);

template <NormalizeWord kNormalize>
TokenFilterPtr make_normalization(OptionReader&, const FilterContext&) {
  return std::make_shared<NormalizationFilter>(kNormalize);
}

struct FilterType {
  std::string_view type;
  MakeFilter make;
};
constexpr FilterType kFilterTypes[] = {
    {"apostrophe", make_apostrophe},
    {"arabic_normalization", make_normalization<normalize_arabic>},
    {"asciifolding", make_asciifolding},
    {"bengali_normalization", make_normalization<normalize_bengali>},
    {"cjk_bigram", make_cjk_bigram},
    {"cjk_width", make_normalization<normalize_cjk_width>},
    {"classic", make_classic},
    {"common_grams", make_common_grams},
    {"decimal_digit", make_normalization<normalize_decimal_digits>},
    {"dictionary_decompounder", make_dictionary_decompounder},
    {"edge_ngram", make_edge_ngram},
    {"elision", make_elision},
    {"fingerprint", make_fingerprint},
    {"flatten_graph", make_flatten_graph},
    {"german_normalization", make_normalization<normalize_german>},
    {"hindi_normalization", make_normalization<normalize_hindi>},
    {"icu_folding", make_icu_folding},
    {"icu_normalizer", make_icu_normalizer},
    {"indic_normalization", make_normalization<normalize_indic>},
    {"keep", make_keep},
    {"keyword_marker", make_keyword_marker},
    {"keyword_repeat", make_keyword_repeat},
    {"length", make_length},
    {"limit", make_limit},
    {"lowercase", make_lowercase},
    {"multiplexer", make_multiplexer},
    {"ngram", make_ngram},
    {"pattern_capture", make_pattern_capture},
    {"pattern_replace", make_pattern_replace},
    {"persian_normalization", make_normalization<normalize_persian>},
    {"remove_duplicates", make_remove_duplicates},
    {"reverse", make_reverse},
    {"scandinavian_folding", make_normalization<fold_scandinavian>},
    {"scandinavian_normalization", make_normalization<normalize_scandinavian>},
    {"serbian_normalization", make_normalization<normalize_serbian>},
    {"shingle", make_shingle},
    {"snowball", make_snowball},
    {"sorani_normalization", make_normalization<normalize_sorani>},
    {"stemmer", make_stemmer},
    {"stemmer_override", make_stemmer_override},
    {"stop", make_stop},
    {"synonym", make_synonym},
    {"synonym_graph", make_synonym_graph},
    {"trim", make_trim},
    {"truncate", make_truncate},
    {"unique", make_unique},
    {"uppercase", make_uppercase},
    {"word_delimiter", make_word_delimiter},
    {"word_delimiter_graph", make_word_delimiter_graph},
};

/// Filters that are a stemmer without options.
struct StemmerType {
  std::string_view type;
  std::string_view algorithm;  // a StemFilter argument
};
constexpr StemmerType kStemmerTypes[] = {
    {"arabic_stem", "light_arabic"},
    {"czech_stem", "light_czech"},
    {"dutch_stem", "dutch"},
    {"french_stem", "french"},
    {"kstem", kKStem},
    {"porter_stem", kPorter},
    {"russian_stem", "russian"},
};

const StemmerType* find_stemmer_type(std::string_view type) {
  for (const StemmerType& entry : kStemmerTypes) {
    if (entry.type == type) return &entry;
  }
  return nullptr;
}

const FilterType* find_filter_type(std::string_view type) {
  for (const FilterType& entry : kFilterTypes) {
    if (entry.type == type) return &entry;
  }
  return nullptr;
}

}  // namespace

bool is_token_filter_type(std::string_view type) {
  return find_filter_type(type) != nullptr || find_stemmer_type(type) != nullptr ||
         find_unsupported_filter(type) != nullptr;
}

Result<TokenFilterPtr> make_token_filter(std::string_view name, const ComponentSpec& spec,
                                         const FilterContext& context) {
  if (const StemmerType* stemmer = find_stemmer_type(spec.type))
    return TokenFilterPtr(std::make_shared<StemFilter>(std::string(stemmer->algorithm)));
  const FilterType* entry = find_filter_type(spec.type);
  if (entry == nullptr) {
    if (const UnsupportedType* known = find_unsupported_filter(spec.type))
      return unsupported_type("filter", name, *known);
    return Status(ErrorType::kIllegalArgument,
                  "Unknown filter type [" + spec.type + "] for [" + std::string(name) + "]");
  }
  OptionReader options("filter", name, spec);
  TokenFilterPtr filter = entry->make(options, context);
  QUARRY_RETURN_IF_ERROR(options.finish());
  return filter;
}

}  // namespace quarry
