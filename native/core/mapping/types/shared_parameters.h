// Parameters that several field types have.
#pragma once

#include "mapping/schema/parameter.h"

namespace quarry::parameters {

// Performance hints that cannot change a result (eager_global_ordinals, index_phrases,
// index_prefixes, term_vector) are accepted and printed. Any other parameter without effect
// is refused.
inline constexpr Parameter kIndex{"index", ParameterKind::kBool, "true", false, {}};
inline constexpr Parameter kDocValues{"doc_values", ParameterKind::kBool, "true", false, {}};
inline constexpr Parameter kNoDocValues{"doc_values", ParameterKind::kBool, "false", false, {}};
inline constexpr Parameter kStore{"store", ParameterKind::kBool, "false", false, {}};
inline constexpr Parameter kMeta{"meta", ParameterKind::kMeta, {}, true, {}};
inline constexpr Parameter kNullValue{"null_value", ParameterKind::kScalar, {}, false, {}};
inline constexpr Parameter kIgnoreMalformed{
    "ignore_malformed", ParameterKind::kFlag, "false", true, {}};
inline constexpr Parameter kCoerce{"coerce", ParameterKind::kFlag, "true", true, {}};
inline constexpr Parameter kSimilarity{"similarity", ParameterKind::kName, {}, false, {}};
inline constexpr Parameter kEagerOrdinals{
    "eager_global_ordinals", ParameterKind::kBool, "false", true, {}};
inline constexpr Parameter kIgnoreAbove{
    "ignore_above", ParameterKind::kCount, "2147483647", true, {}};
inline constexpr Parameter kTermOptions{"index_options", ParameterKind::kChoice, "\"docs\"", false,
                                        "docs"};
inline constexpr Parameter kSplitQueries{"split_queries_on_whitespace", ParameterKind::kChoice,
                                         "false", true, "false"};
inline constexpr Parameter kScript{"script", ParameterKind::kRefused, {}, false, {}};
inline constexpr Parameter kScriptError{"on_script_error", ParameterKind::kRefused, {}, false, {}};
// Kept and printed: only indexes of the mode time_series use them, which are refused.
inline constexpr Parameter kDimension{
    "time_series_dimension", ParameterKind::kBool, "false", false, {}};
inline constexpr Parameter kMetric{
    "time_series_metric", ParameterKind::kChoice, {}, false, "gauge|counter"};

inline constexpr Parameter kTextNorms{"norms", ParameterKind::kBool, "true", false, {}};
inline constexpr Parameter kTermVector{
    "term_vector", ParameterKind::kChoice, "\"no\"", false,
    "no|yes|with_positions|with_offsets|with_positions_offsets|with_positions_payloads|"
    "with_positions_offsets_payloads"};
inline constexpr Parameter kAnalyzer{"analyzer", ParameterKind::kName, "\"default\"", false, {}};
inline constexpr Parameter kSearchAnalyzer{"search_analyzer", ParameterKind::kName, {}, true, {}};
inline constexpr Parameter kQuoteAnalyzer{
    "search_quote_analyzer", ParameterKind::kName, {}, true, {}};
inline constexpr Parameter kPositionGap{
    "position_increment_gap", ParameterKind::kCount, {}, false, {}};
// Stored and printed; a request that needs it is refused.
inline constexpr Parameter kFielddata{"fielddata", ParameterKind::kBool, "false", true, {}};
inline constexpr Parameter kFielddataFilter{
    "fielddata_frequency_filter", ParameterKind::kRefused, {}, false, {}};
inline constexpr Parameter kIndexPhrases{"index_phrases", ParameterKind::kBool, "false", false, {}};
inline constexpr Parameter kIndexPrefixes{
    "index_prefixes", ParameterKind::kPrefixes, {}, false, {}};
inline constexpr Parameter kVectorIndexOptions{"index_options",
                                               ParameterKind::kVectorIndex,
                                               R"({"type":"hnsw","m":16,"ef_construction":100})",
                                               false,
                                               {}};

inline constexpr Parameter kDateFormat{
    "format", ParameterKind::kName, "\"strict_date_optional_time||epoch_millis\"", false, {}};
inline constexpr Parameter kLocale{"locale", ParameterKind::kName, "\"en\"", false, {}};

}  // namespace quarry::parameters
