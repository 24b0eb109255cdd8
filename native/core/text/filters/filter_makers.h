// Functions that create single types of token filters, for the table in filter_factory.cc. Each
// reads the options of its type.
#pragma once

#include <cstdint>

#include "text/analysis/factories.h"
#include "text/analysis/term_set.h"

namespace quarry {

/// The largest value of options that are lengths or counts.
constexpr uint32_t kMaxFilterLength = INT32_MAX;

// letter_filter_makers.cc: filters that map characters or use word lists
TokenFilterPtr make_asciifolding(OptionReader& options, const FilterContext& context);
TokenFilterPtr make_icu_folding(OptionReader& options, const FilterContext& context);
TokenFilterPtr make_icu_normalizer(OptionReader& options, const FilterContext& context);
TokenFilterPtr make_lowercase(OptionReader& options, const FilterContext& context);
TokenFilterPtr make_uppercase(OptionReader& options, const FilterContext& context);
TokenFilterPtr make_snowball(OptionReader& options, const FilterContext& context);
TokenFilterPtr make_stemmer(OptionReader& options, const FilterContext& context);
TokenFilterPtr make_stop(OptionReader& options, const FilterContext& context);

// word_filter_makers.cc: filters on whole tokens
TokenFilterPtr make_apostrophe(OptionReader& options, const FilterContext& context);
TokenFilterPtr make_classic(OptionReader& options, const FilterContext& context);
TokenFilterPtr make_elision(OptionReader& options, const FilterContext& context);
TokenFilterPtr make_fingerprint(OptionReader& options, const FilterContext& context);
TokenFilterPtr make_keep(OptionReader& options, const FilterContext& context);
TokenFilterPtr make_keyword_marker(OptionReader& options, const FilterContext& context);
TokenFilterPtr make_keyword_repeat(OptionReader& options, const FilterContext& context);
TokenFilterPtr make_length(OptionReader& options, const FilterContext& context);
TokenFilterPtr make_limit(OptionReader& options, const FilterContext& context);
TokenFilterPtr make_pattern_replace(OptionReader& options, const FilterContext& context);
TokenFilterPtr make_remove_duplicates(OptionReader& options, const FilterContext& context);
TokenFilterPtr make_reverse(OptionReader& options, const FilterContext& context);
TokenFilterPtr make_stemmer_override(OptionReader& options, const FilterContext& context);
TokenFilterPtr make_trim(OptionReader& options, const FilterContext& context);
TokenFilterPtr make_truncate(OptionReader& options, const FilterContext& context);
TokenFilterPtr make_unique(OptionReader& options, const FilterContext& context);

// gram_filter_makers.cc: filters that turn one token into several, or several into one
TokenFilterPtr make_edge_ngram(OptionReader& options, const FilterContext& context);
TokenFilterPtr make_ngram(OptionReader& options, const FilterContext& context);
TokenFilterPtr make_shingle(OptionReader& options, const FilterContext& context);
TokenFilterPtr make_synonym(OptionReader& options, const FilterContext& context);
TokenFilterPtr make_synonym_graph(OptionReader& options, const FilterContext& context);

// part_filter_makers.cc: filters that split tokens or join parts of them
TokenFilterPtr make_cjk_bigram(OptionReader& options, const FilterContext& context);
TokenFilterPtr make_common_grams(OptionReader& options, const FilterContext& context);
TokenFilterPtr make_dictionary_decompounder(OptionReader& options, const FilterContext& context);
TokenFilterPtr make_flatten_graph(OptionReader& options, const FilterContext& context);
TokenFilterPtr make_multiplexer(OptionReader& options, const FilterContext& context);
TokenFilterPtr make_pattern_capture(OptionReader& options, const FilterContext& context);
TokenFilterPtr make_word_delimiter(OptionReader& options, const FilterContext& context);
TokenFilterPtr make_word_delimiter_graph(OptionReader& options, const FilterContext& context);

/// The words of `option` as a set, in lower case when case is ignored.
TermSet read_words(OptionReader& options, std::string_view option, bool ignore_case);

}  // namespace quarry
