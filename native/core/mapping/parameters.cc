// The tables of parameters by type, and the checks of their values.
#include "mapping/parameters.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "json/number.h"
#include "mapping/semantic_parameters.h"
#include "mapping/vector_parameters.h"

namespace quarry {

namespace {

using Kind = ParameterKind;

// Hints for speed that cannot change an answer (eager_global_ordinals, index_phrases,
// index_prefixes, term_vector) are taken and printed; whatever would change one and is not done is
// refused.
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
constexpr Parameter kFielddata{"fielddata", Kind::kChoice, "false", true, "false"};
constexpr Parameter kFielddataFilter{"fielddata_frequency_filter", Kind::kRefused, {}, false, {}};
constexpr Parameter kIndexPhrases{"index_phrases", Kind::kBool, "false", false, {}};
constexpr Parameter kIndexPrefixes{"index_prefixes", Kind::kPrefixes, {}, false, {}};
constexpr Parameter kVectorIndexOptions{"index_options", Kind::kVectorIndex,
                                        R"({"type":"hnsw","m":16,"ef_construction":100})", false,
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

// What is said of vectors (semantic_parameters.h), then what is said of text.
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

constexpr Parameter kDateFormat{"format", Kind::kName,
                                "\"strict_date_optional_time||epoch_millis\"", false, {}};
constexpr Parameter kNanosFormat{"format", Kind::kName,
                                 "\"strict_date_optional_time_nanos||epoch_millis\"", false, {}};
constexpr Parameter kLocale{"locale", Kind::kName, "\"en\"", false, {}};

constexpr Parameter kDate[] = {kIndex,     kDocValues,       kStore,  kDateFormat,  kLocale,
                               kNullValue, kIgnoreMalformed, kScript, kScriptError, kMeta};

constexpr Parameter kDateNanos[] = {kIndex,     kDocValues,       kStore,  kNanosFormat, kLocale,
                                    kNullValue, kIgnoreMalformed, kScript, kScriptError, kMeta};

constexpr Parameter kRange[] = {kIndex, kDocValues, kStore, kCoerce, kMeta};

constexpr Parameter kDateRange[] = {kIndex,      kDocValues, kStore, kCoerce,
                                    kDateFormat, kLocale,    kMeta};

constexpr Parameter kTokenCount[] = {
    kIndex,
    kDocValues,
    kStore,
    {"analyzer", Kind::kName, {}, false, {}},
    kNullValue,
    {"enable_position_increments", Kind::kBool, "true", false, {}},
    kMeta,
};

constexpr Parameter kConstantKeyword[] = {{"value", Kind::kName, {}, true, {}}, kMeta};

constexpr Parameter kWildcard[] = {kIgnoreAbove, kNullValue, kMeta};

constexpr Parameter kIp[] = {kIndex,  kDocValues,   kStore, kIgnoreMalformed, kNullValue,
                             kScript, kScriptError, kMeta,  kDimension};

constexpr Parameter kBinary[] = {kMeta, kStore, kNoDocValues};

constexpr Parameter kGeoPoint[] = {kMeta, kIgnoreMalformed, kDocValues};

// Updates of these are looked at together: vector_conflicts().
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

Status refuse(std::string reason) { return {ErrorType::kMapperParsing, std::move(reason)}; }

std::string on_mapper(std::string_view parameter, const std::string& field, FieldType type) {
  return "[" + std::string(parameter) + "] on mapper [" + field + "] of type [" +
         std::string(field_type_name(type)) + "]";
}

Result<JsonValue> read_bool(const JsonValue& value, const std::string& where) {
  if (value.kind() == JsonValue::Kind::kBool) return value;
  if (value.text() == "true" || value.text() == "false")
    return JsonValue::boolean(value.text() == "true");
  return refuse(where + ": Failed to parse value [" + std::string(value.text()) +
                "] as only [true] or [false] are allowed.");
}

Result<JsonValue> read_count(const Parameter& parameter, const JsonValue& value,
                             const std::string& where) {
  const std::optional<int64_t> count = value.as_int();
  if (!count || *count > INT32_MAX) {
    return refuse(where + " must be a whole number, got [" + std::string(value.text()) + "]");
  }
  if (*count < 0) {
    return refuse("[" + std::string(parameter.name) + "] must be positive, got [" +
                  std::to_string(*count) + "] (" + where + ")");
  }
  return JsonValue::number(std::to_string(*count));
}

std::string with_commas(std::string_view choices) {
  std::string text(choices);
  for (size_t at = text.find('|'); at != std::string::npos; at = text.find('|', at))
    text.replace(at, 1, ", ");
  return text;
}

Result<JsonValue> read_choice(const Parameter& parameter, const JsonValue& value,
                              const std::string& where) {
  const std::string text(value.text());
  const std::string all = "|" + std::string(parameter.choices) + "|";
  const bool known = !text.empty() && text.find('|') == std::string::npos &&
                     all.find("|" + text + "|") != std::string::npos;
  const bool flag = parameter.fallback == "true" || parameter.fallback == "false";
  if (known && !flag) return JsonValue::string(text);
  if (known) return JsonValue::boolean(text == "true");
  if (parameter.choices.find('|') == std::string_view::npos) {
    return refuse(where + " does not support [" + value.to_json() + "], only [" +
                  std::string(parameter.choices) + "]");
  }
  return refuse("Unknown value [" + text + "] for field [" + std::string(parameter.name) +
                "] - accepted values are [" + with_commas(parameter.choices) + "]");
}

Result<JsonValue> read_meta(const JsonValue& value, const std::string& field) {
  constexpr size_t kMostEntries = 5;
  constexpr size_t kLongestKey = 20;
  constexpr size_t kLongestValue = 50;
  if (!value.is_object()) {
    return refuse("[meta] must be an object, got " + value.to_json() + " for field [" + field +
                  "]");
  }
  if (value.members().size() > kMostEntries) {
    return refuse("[meta] can't have more than 5 entries, but got " +
                  std::to_string(value.members().size()) + " on field [" + field + "]");
  }
  std::vector<JsonValue::Member> sorted = value.members();
  std::sort(sorted.begin(), sorted.end(),
            [](const auto& a, const auto& b) { return a.first < b.first; });
  for (const auto& [key, entry] : sorted) {
    if (key.size() > kLongestKey) {
      return refuse("[meta] keys can't be longer than 20 chars, but got [" + key + "] for field [" +
                    field + "]");
    }
    if (!entry.is_string()) {
      return refuse("[meta] values can only be strings, but got [" + entry.to_json() +
                    "] for field [" + field + "]");
    }
    if (entry.text().size() > kLongestValue) {
      return refuse("[meta] values can't be longer than 50 chars, but got [" +
                    std::string(entry.text()) + "] for field [" + field + "]");
    }
  }
  return JsonValue::object(std::move(sorted));
}

/// {"min_chars": 2, "max_chars": 5}, within 1 … 20.
Result<JsonValue> read_prefixes(const JsonValue& value, const std::string& where) {
  if (value.is_null()) return JsonValue::null();
  if (!value.is_object()) return refuse(where + " must be an object, got " + value.to_json());
  int64_t least = 2;
  int64_t most = 5;
  for (const auto& [key, number] : value.members()) {
    if (key != "min_chars" && key != "max_chars")
      return refuse("unknown parameter [" + key + "] in " + where);
    (key == "min_chars" ? least : most) = number.as_int().value_or(-1);
  }
  if (least < 1 || most < least || most > 19) {
    return refuse(where + " must have 0 < [min_chars] <= [max_chars] < 20, got " + value.to_json());
  }
  return JsonValue::object({{"min_chars", JsonValue::number(std::to_string(least))},
                            {"max_chars", JsonValue::number(std::to_string(most))}});
}

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
#include "mapping/types.def"
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

Result<JsonValue> read_parameter(const Parameter& parameter, const JsonValue& value,
                                 const std::string& field, FieldType type) {
  const std::string where = on_mapper(parameter.name, field, type);
  const bool may_be_null = parameter.kind == Kind::kScalar || parameter.kind == Kind::kPrefixes ||
                           parameter.kind == Kind::kVectorIndex || parameter.name == "similarity";
  if (parameter.kind == Kind::kRefused) return refuse(where + " is not supported");
  if (value.is_null() && !may_be_null) return refuse(where + " must not have a [null] value");
  const bool container = value.is_object() || value.is_array();
  const bool takes_containers =
      parameter.kind == Kind::kMeta || parameter.kind == Kind::kPrefixes ||
      parameter.kind == Kind::kVectorIndex || parameter.kind == Kind::kEndpoint;
  if (container && !takes_containers) {
    return refuse(where + " must be a simple value, got " + value.to_json());
  }
  switch (parameter.kind) {
    case Kind::kBool:
    case Kind::kFlag:
      return read_bool(value, where);
    case Kind::kNumber: {
      const std::optional<double> number = value.as_double();
      if (!number || !std::isfinite(*number)) {
        return refuse(where + " must be a number, got [" + std::string(value.text()) + "]");
      }
      return JsonValue::number(format_double(*number));
    }
    case Kind::kCount:
      return read_count(parameter, value, where);
    case Kind::kChoice:
      return value.is_null() ? value : read_choice(parameter, value, where);
    case Kind::kName:
      return value.is_null() ? value : JsonValue::string(std::string(value.text()));
    case Kind::kMeta:
      return read_meta(value, field);
    case Kind::kPrefixes:
      return read_prefixes(value, where);
    case Kind::kVectorIndex:
      return value.is_null() ? value : read_vector_index(value, field);
    case Kind::kEndpoint:
      return read_inference_endpoint(value, field);
    default:
      return value;
  }
}

}  // namespace quarry
