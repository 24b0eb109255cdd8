// The tables of parameters by field type. Their values are checked in parameter_values.cc.
#include "mapping/schema/parameters.h"

#include <algorithm>
#include <iterator>

namespace quarry {

namespace {

using Kind = ParameterKind;

// Performance hints that cannot change a result (eager_global_ordinals, index_phrases,
// index_prefixes, term_vector) are accepted and printed. A parameter that would change a result and
// is not implemented is refused.
constexpr Parameter kIndex{"index", Kind::kBool, "true", false, {}};
constexpr Parameter kDocValues{"doc_values", Kind::kBool, "true", false, {}};
constexpr Parameter kNoDocValues{"doc_values", Kind::kBool, "false", false, {}};
constexpr Parameter kStore{"store", Kind::kBool, "false", false, {}};
constexpr Parameter kMeta{"meta", Kind::kMeta, {}, true, {}};
constexpr Parameter kNullValue{"null_value", Kind::kScalar, {}, false, {}};
constexpr Parameter kIgnoreMalformed{"ignore_malformed", Kind::kFlag, "false", true, {}};
constexpr Parameter kCoerce{"coerce", Kind::kFlag, "true", true, {}};
constexpr Parameter kSimilarity{"similarity", Kind::kName, {}, false, {}};
constexpr Parameter kEagerOrdinals{"eager_global_ordinals", Kind::kBool, "false", true, {}};
constexpr Parameter kIgnoreAbove{"ignore_above", Kind::kCount, "2147483647", true, {}};
constexpr Parameter kTermOptions{"index_options", Kind::kChoice, "\"docs\"", false, "docs"};
constexpr Parameter kSplitQueries{"split_queries_on_whitespace", Kind::kChoice, "false", true,
                                  "false"};
constexpr Parameter kScript{"script", Kind::kRefused, {}, false, {}};
constexpr Parameter kScriptError{"on_script_error", Kind::kRefused, {}, false, {}};
constexpr Parameter kDimension{"time_series_dimension", Kind::kChoice, "false", false, "false"};
constexpr Parameter kMetric{"time_series_metric", Kind::kRefused, {}, false, {}};

constexpr Parameter kTextNorms{"norms", Kind::kBool, "true", false, {}};
constexpr Parameter kTermVector{
    "term_vector", Kind::kChoice, "\"no\"", false,
    "no|yes|with_positions|with_offsets|with_positions_offsets|with_positions_payloads|"
    "with_positions_offsets_payloads"};
constexpr Parameter kAnalyzer{"analyzer", Kind::kName, "\"default\"", false, {}};
constexpr Parameter kSearchAnalyzer{"search_analyzer", Kind::kName, {}, true, {}};
constexpr Parameter kQuoteAnalyzer{"search_quote_analyzer", Kind::kName, {}, true, {}};
constexpr Parameter kPositionGap{"position_increment_gap", Kind::kCount, {}, false, {}};
// Stored and printed; a request that needs it is refused.
constexpr Parameter kFielddata{"fielddata", Kind::kBool, "false", true, {}};
constexpr Parameter kFielddataFilter{"fielddata_frequency_filter", Kind::kRefused, {}, false, {}};
constexpr Parameter kIndexPhrases{"index_phrases", Kind::kBool, "false", false, {}};
constexpr Parameter kIndexPrefixes{"index_prefixes", Kind::kPrefixes, {}, false, {}};
constexpr Parameter kVectorIndexOptions{"index_options",
                                        Kind::kVectorIndex,
                                        R"({"type":"hnsw","m":16,"ef_construction":100})",
                                        false,
                                        {}};

constexpr Parameter kText[] = {
    kIndex,
    kStore,
    {"index_options", Kind::kChoice, "\"positions\"", false, "positions|docs|freqs|offsets"},
    kTextNorms,
    kTermVector,
    kAnalyzer,
    kSearchAnalyzer,
    kQuoteAnalyzer,
    kSimilarity,
    kPositionGap,
    kFielddata,
    kFielddataFilter,
    kEagerOrdinals,
    kIndexPhrases,
    kIndexPrefixes,
    kMeta,
};

// First the parameters of vectors (semantic_parameters.h), then those of text.
constexpr Parameter kSemanticText[] = {
    {"embedder", Kind::kName, {}, false, {}},
    {"dims", Kind::kCount, {}, false, {}},
    {"inference_id", Kind::kName, {}, false, {}},
    {"inference_endpoint", Kind::kEndpoint, {}, false, {}},
    kVectorIndexOptions,
    {"chunking_settings", Kind::kRefused, {}, false, {}},
    {"search_inference_id", Kind::kRefused, {}, false, {}},
    {"model_settings", Kind::kRefused, {}, false, {}},
    kIndex,
    kStore,
    kTextNorms,
    kTermVector,
    kAnalyzer,
    kSearchAnalyzer,
    kQuoteAnalyzer,
    kSimilarity,
    kPositionGap,
    kFielddata,
    kFielddataFilter,
    kEagerOrdinals,
    kIndexPhrases,
    kIndexPrefixes,
    kMeta,
};

constexpr Parameter kKeyword[] = {
    kIndex,         kDocValues,
    kStore,         kNullValue,
    kEagerOrdinals, kIgnoreAbove,
    kTermOptions,   {"norms", Kind::kBool, "false", false, {}},
    kSimilarity,    {"normalizer", Kind::kName, {}, false, {}},
    kSplitQueries,  kScript,
    kScriptError,   kMeta,
    kDimension,
};

constexpr Parameter kNumber[] = {kIndex,  kDocValues, kStore,  kIgnoreMalformed,
                                 kCoerce, kNullValue, kScript, kScriptError,
                                 kMeta,   kDimension, kMetric};

constexpr Parameter kScaledFloat[] = {
    kIndex,           kDocValues, kStore,
    kIgnoreMalformed, kMeta,      {"scaling_factor", Kind::kNumber, {}, false, {}},
    kCoerce,          kNullValue, kMetric};

constexpr Parameter kUnsignedLong[] = {kIndex,     kDocValues, kStore,     kIgnoreMalformed,
                                       kNullValue, kMeta,      kDimension, kMetric};

constexpr Parameter kBoolean[] = {kMeta,   kDocValues,   kIndex,           kNullValue, kStore,
                                  kScript, kScriptError, kIgnoreMalformed, kDimension};

constexpr Parameter kDateFormat{
    "format", Kind::kName, "\"strict_date_optional_time||epoch_millis\"", false, {}};
constexpr Parameter kNanosFormat{
    "format", Kind::kName, "\"strict_date_optional_time_nanos||epoch_millis\"", false, {}};
constexpr Parameter kLocale{"locale", Kind::kName, "\"en\"", false, {}};

constexpr Parameter kDate[] = {kIndex,     kDocValues,       kStore,  kDateFormat,  kLocale,
                               kNullValue, kIgnoreMalformed, kScript, kScriptError, kMeta};

constexpr Parameter kDateNanos[] = {kIndex,     kDocValues,       kStore,  kNanosFormat, kLocale,
                                    kNullValue, kIgnoreMalformed, kScript, kScriptError, kMeta};

constexpr Parameter kRange[] = {kIndex, kDocValues, kStore, kCoerce, kMeta};

constexpr Parameter kDateRange[] = {kIndex,      kDocValues, kStore, kCoerce,
                                    kDateFormat, kLocale,    kMeta};

constexpr Parameter kTokenCount[] = {
    kIndex,     kDocValues,
    kStore,     {"analyzer", Kind::kName, {}, false, {}},
    kNullValue, {"enable_position_increments", Kind::kBool, "true", false, {}},
    kMeta,
};

constexpr Parameter kConstantKeyword[] = {{"value", Kind::kName, {}, true, {}}, kMeta};

constexpr Parameter kWildcard[] = {kIgnoreAbove, kNullValue, kMeta};

constexpr Parameter kIp[] = {kIndex,  kDocValues,   kStore, kIgnoreMalformed, kNullValue,
                             kScript, kScriptError, kMeta,  kDimension};

constexpr Parameter kBinary[] = {kMeta, kStore, kNoDocValues};

constexpr Parameter kGeoPoint[] = {kMeta, kIgnoreMalformed, kIndex, kDocValues};

// Updates of these are checked together by vector_conflicts().
constexpr Parameter kDenseVector[] = {
    {"element_type", Kind::kChoice, "\"float\"", false, "float"},
    {"dims", Kind::kCount, {}, false, {}},
    kIndex,
    {"similarity", Kind::kChoice, "\"cosine\"", false,
     "cosine|dot_product|l2_norm|max_inner_product"},
    kVectorIndexOptions,
    {"quantization", Kind::kChoice, {}, false, "scalar8"},
    kMeta,
};

constexpr Parameter kCompletion[] = {
    {"analyzer", Kind::kName, "\"simple\"", false, {}},
    kSearchAnalyzer,
    {"preserve_separators", Kind::kBool, "true", false, {}},
    {"preserve_position_increments", Kind::kBool, "true", false, {}},
    {"max_input_length", Kind::kCount, "50", true, {}},
    {"contexts", Kind::kRefused, {}, false, {}},
    kMeta,
};

constexpr Parameter kFlattened[] = {
    kIndex,
    kDocValues,
    {"depth_limit", Kind::kCount, "20", true, {}},
    kNullValue,
    kEagerOrdinals,
    kIgnoreAbove,
    kTermOptions,
    kSimilarity,
    kSplitQueries,
    kMeta,
    {"time_series_dimensions", Kind::kRefused, {}, false, {}},
};

constexpr std::string_view kUnsupportedTypes[] = {
    "aggregate_metric_double",
    "annotated_text",
    "counted_keyword",
    "geo_shape",
    "histogram",
    "icu_collation_keyword",
    "join",
    "match_only_text",
    "murmur3",
    "nested",
    "passthrough",
    "percolator",
    "point",
    "rank_feature",
    "rank_features",
    "rank_vectors",
    "shape",
    "sparse_vector",
    "version",
};

}  // namespace

const Parameter* TypeParameters::find(std::string_view name) const {
  const auto found = std::find_if(parameters.begin(), parameters.end(),
                                  [name](const Parameter& p) { return p.name == name; });
  return found == parameters.end() ? nullptr : &*found;
}

TypeParameters parameters_of(FieldType type) {
  switch (type) {
    case FieldType::kText:
      return {kText};
    case FieldType::kSemanticText:
      return {kSemanticText};
    case FieldType::kKeyword:
      return {kKeyword};
    case FieldType::kScaledFloat:
      return {kScaledFloat};
    case FieldType::kUnsignedLong:
      return {kUnsignedLong};
    case FieldType::kBoolean:
      return {kBoolean};
    case FieldType::kDate:
      return {kDate};
    case FieldType::kDateNanos:
      return {kDateNanos};
    case FieldType::kIntegerRange:
    case FieldType::kLongRange:
    case FieldType::kFloatRange:
    case FieldType::kDoubleRange:
    case FieldType::kIpRange:
      return {kRange};
    case FieldType::kDateRange:
      return {kDateRange};
    case FieldType::kTokenCount:
      return {kTokenCount};
    case FieldType::kConstantKeyword:
      return {kConstantKeyword};
    case FieldType::kWildcard:
      return {kWildcard};
    case FieldType::kIp:
      return {kIp};
    case FieldType::kBinary:
      return {kBinary};
    case FieldType::kGeoPoint:
      return {kGeoPoint};
    case FieldType::kDenseVector:
      return {kDenseVector};
    case FieldType::kCompletion:
      return {kCompletion};
    case FieldType::kFlattened:
    case FieldType::kFlattenedKeyed:
      return {kFlattened};
    case FieldType::kObject:
    case FieldType::kAlias:
      return {};
    default:
      return {kNumber};
  }
}

bool parse_field_type(std::string_view name, FieldType& type) {
  static constexpr FieldType kTypes[] = {
#define FIELD_TYPE(id, wire, column, inverted) FieldType::k##id,
#include "mapping/schema/types.def"
#undef FIELD_TYPE
  };
  for (const FieldType candidate : kTypes) {
    if (candidate == FieldType::kFlattenedKeyed || field_type_name(candidate) != name) continue;
    type = candidate;
    return true;
  }
  return false;
}

bool is_unsupported_type(std::string_view name) {
  return std::find(std::begin(kUnsupportedTypes), std::end(kUnsupportedTypes), name) !=
         std::end(kUnsupportedTypes);
}

}  // namespace quarry
