// Creates token filters by type.
#include "text/filters/filter_makers.h"

namespace quarry {
namespace {

using MakeFilter = TokenFilterPtr (*)(OptionReader& options, const FilterContext& context);

struct FilterType {
  std::string_view type;
  MakeFilter make;
};
constexpr FilterType kFilterTypes[] = {
    {"apostrophe", make_apostrophe},
    {"asciifolding", make_asciifolding},
    {"edge_ngram", make_edge_ngram},
    {"elision", make_elision},
    {"fingerprint", make_fingerprint},
    {"keep", make_keep},
    {"keyword_marker", make_keyword_marker},
    {"length", make_length},
    {"limit", make_limit},
    {"lowercase", make_lowercase},
    {"ngram", make_ngram},
    {"pattern_replace", make_pattern_replace},
    {"porter_stem", make_porter_stem},
    {"remove_duplicates", make_remove_duplicates},
    {"reverse", make_reverse},
    {"shingle", make_shingle},
    {"snowball", make_snowball},
    {"stemmer", make_stemmer},
    {"stop", make_stop},
    {"synonym", make_synonym},
    {"synonym_graph", make_synonym_graph},
    {"trim", make_trim},
    {"truncate", make_truncate},
    {"unique", make_unique},
    {"uppercase", make_uppercase},
};

const FilterType* find_filter_type(std::string_view type) {
  for (const FilterType& entry : kFilterTypes) {
    if (entry.type == type) return &entry;
  }
  return nullptr;
}

}  // namespace

bool is_token_filter_type(std::string_view type) { return find_filter_type(type) != nullptr; }

Result<TokenFilterPtr> make_token_filter(std::string_view name, const ComponentSpec& spec,
                                         const FilterContext& context) {
  const FilterType* entry = find_filter_type(spec.type);
  if (entry == nullptr) {
    return Status(ErrorType::kIllegalArgument,
                  "Unknown filter type [" + spec.type + "] for [" + std::string(name) + "]");
  }
  OptionReader options("filter", name, spec);
  TokenFilterPtr filter = entry->make(options, context);
  QUARRY_RETURN_IF_ERROR(options.finish());
  return filter;
}

}  // namespace quarry
