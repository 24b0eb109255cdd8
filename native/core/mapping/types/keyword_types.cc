// Whole strings.
#include "mapping/schema/field_maker.h"
#include "mapping/schema/field_type.h"
#include "mapping/types/shared_parameters.h"

namespace quarry {

namespace {

constexpr Parameter kKeywordParameters[] = {
    parameters::kIndex,         parameters::kDocValues,
    parameters::kStore,         parameters::kNullValue,
    parameters::kEagerOrdinals, parameters::kIgnoreAbove,
    parameters::kTermOptions,   {"norms", ParameterKind::kBool, "false", false, {}},
    parameters::kSimilarity,    {"normalizer", ParameterKind::kName, {}, false, {}},
    parameters::kSplitQueries,  parameters::kScript,
    parameters::kScriptError,   parameters::kMeta,
    parameters::kDimension,
};

constexpr Parameter kConstantKeywordParameters[] = {
    {"value", ParameterKind::kName, {}, true, {}},
    parameters::kMeta,
};

constexpr Parameter kWildcardParameters[] = {
    parameters::kIgnoreAbove,
    parameters::kNullValue,
    parameters::kMeta,
};

}  // namespace

constinit const FieldTraits kKeywordType = {
    .name = "keyword",
    .column = ColumnKind::kOrdinal,
    .inverted = InvertedKind::kTerms,
    .keyword = true,
    .accepts_normalizer = true,
    .text_patterns = true,
    .query = QueryKind::kTerms,
    .collapsible = true,
    .index_sortable = true,
    .link_uses = kLinkTerm,
    .parameters = kKeywordParameters,
    .configure = configure_keyword,
    .value = ValueForm::kKeyword,
};

constinit const FieldTraits kConstantKeywordType = {
    .name = "constant_keyword",
    .column = ColumnKind::kOrdinal,
    .inverted = InvertedKind::kTerms,
    .keyword = true,
    .text_patterns = true,
    .query = QueryKind::kTerms,
    .collapsible = true,
    .source = SourceForm::kNothing,
    .in_multi_fields = false,
    .parameters = kConstantKeywordParameters,
    .configure = configure_unscored,
    .value = ValueForm::kConstant,
};

constinit const FieldTraits kWildcardType = {
    .name = "wildcard",
    .column = ColumnKind::kOrdinal,
    .inverted = InvertedKind::kTerms,
    .term_section = TermSection::kGrams,
    .keyword = true,
    .text_patterns = true,
    .query = QueryKind::kTerms,
    .collapsible = true,
    .parameters = kWildcardParameters,
    .configure = configure_unscored,
    .value = ValueForm::kKeyword,
};

}  // namespace quarry
