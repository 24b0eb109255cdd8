// Functions that create single types of token filters, for the table in filter_factory.cc. Each
// reads the options of its type.
#pragma once

#include "text/analysis/factories.h"

namespace quarry {

// letter_filter_makers.cc: filters that map characters or use word lists
TokenFilterPtr make_asciifolding(OptionReader& options, const FilterContext& context);
TokenFilterPtr make_lowercase(OptionReader& options, const FilterContext& context);
TokenFilterPtr make_uppercase(OptionReader& options, const FilterContext& context);
TokenFilterPtr make_porter_stem(OptionReader& options, const FilterContext& context);
TokenFilterPtr make_snowball(OptionReader& options, const FilterContext& context);
TokenFilterPtr make_stemmer(OptionReader& options, const FilterContext& context);
TokenFilterPtr make_stop(OptionReader& options, const FilterContext& context);

// word_filter_makers.cc: filters on whole tokens
TokenFilterPtr make_apostrophe(OptionReader& options, const FilterContext& context);
TokenFilterPtr make_elision(OptionReader& options, const FilterContext& context);
TokenFilterPtr make_fingerprint(OptionReader& options, const FilterContext& context);
TokenFilterPtr make_keep(OptionReader& options, const FilterContext& context);
TokenFilterPtr make_keyword_marker(OptionReader& options, const FilterContext& context);
TokenFilterPtr make_length(OptionReader& options, const FilterContext& context);
TokenFilterPtr make_limit(OptionReader& options, const FilterContext& context);
TokenFilterPtr make_pattern_replace(OptionReader& options, const FilterContext& context);
TokenFilterPtr make_remove_duplicates(OptionReader& options, const FilterContext& context);
TokenFilterPtr make_reverse(OptionReader& options, const FilterContext& context);
TokenFilterPtr make_trim(OptionReader& options, const FilterContext& context);
TokenFilterPtr make_truncate(OptionReader& options, const FilterContext& context);
TokenFilterPtr make_unique(OptionReader& options, const FilterContext& context);

// gram_filter_makers.cc: filters that turn one token into several, or several into one
TokenFilterPtr make_edge_ngram(OptionReader& options, const FilterContext& context);
TokenFilterPtr make_ngram(OptionReader& options, const FilterContext& context);
TokenFilterPtr make_shingle(OptionReader& options, const FilterContext& context);
TokenFilterPtr make_synonym(OptionReader& options, const FilterContext& context);
TokenFilterPtr make_synonym_graph(OptionReader& options, const FilterContext& context);

}  // namespace quarry
