// Turns one definition into a Field (make_field() is declared in
// mapping/schema/compiled_mapping.h).
#include "mapping/schema/field_maker.h"

#include "mapping/schema/compiled_mapping.h"
#include "mapping/schema/number_types.h"
#include "mapping/schema/semantic_parameters.h"
#include "mapping/schema/vector_parameters.h"
#include "mapping/values/numeric.h"
#include "mapping/values/range_value.h"

namespace quarry {

namespace {

bool flag(const Mapper& mapper, std::string_view name) {
  return mapper.effective(name).text() == "true";
}

uint32_t count(const Mapper& mapper, std::string_view name, uint32_t otherwise) {
  const JsonValue* value = mapper.given(name);
  return value == nullptr ? otherwise : static_cast<uint32_t>(value->as_int().value_or(otherwise));
}

Result<const Analyzer*> find_analyzer(std::string_view name, const AnalysisRegistry& registry) {
  if (const Analyzer* analyzer = registry.analyzer(name)) return analyzer;
  return mapper_parsing("analyzer [" + std::string(name) + "] has not been configured in mappings");
}

/// The index's own analyzer of that name, or else the standard analyzer.
const Analyzer* default_analyzer(std::string_view name, const AnalysisRegistry& registry) {
  const Analyzer* own = registry.analyzer(name);
  return own != nullptr ? own : registry.analyzer("standard");
}

Status set_text(const Mapper& mapper, const MappingContext& context, Field& field) {
  QUARRY_RETURN_IF_ERROR(set_analyzers(mapper, *context.analysis, field));
  // The index_options of a semantic_text field, an object, apply to its vectors.
  const JsonValue given = mapper.effective("index_options");
  const std::string options(given.is_string() ? given.text() : "positions");
  field.freqs = field.indexed && options != "docs";
  field.positions = field.indexed && (options == "positions" || options == "offsets");
  field.offsets = (field.indexed && options == "offsets") ||
                  mapper.effective("term_vector").text().find("offsets") != std::string::npos;
  field.norms = field.indexed && flag(mapper, "norms");
  const uint32_t own_gap = field.analyzer == nullptr ? Analyzer::kDefaultPositionIncrementGap
                                                     : field.analyzer->position_increment_gap();
  field.position_increment_gap = count(mapper, "position_increment_gap", own_gap);
  if (!field.positions && mapper.given("position_increment_gap") != nullptr) {
    return mapper_parsing("Cannot set position_increment_gap on field [" + field.name +
                          "] without positions enabled");
  }
  field.doc_values = false;
  return {};
}

Status set_keyword(const Mapper& mapper, const MappingContext& context, Field& field) {
  field.norms = field.indexed && flag(mapper, "norms");
  field.ignore_above = count(mapper, "ignore_above", UINT32_MAX);
  field.depth_limit = count(mapper, "depth_limit", 20);
  if (const JsonValue* normalizer = mapper.given("normalizer")) {
    field.normalizer = context.analysis->normalizer(normalizer->text());
    if (field.normalizer == nullptr) {
      return mapper_parsing("normalizer [" + std::string(normalizer->text()) +
                            "] not found for field [" + field.name + "]");
    }
  }
  return {};
}

Status set_similarity(const Mapper& mapper, const MappingContext& context, Field& field) {
  const JsonValue* given = mapper.given("similarity");
  const std::string name(given == nullptr ? "default" : given->text());
  const auto own = context.similarities.find(name);
  if (own != context.similarities.end()) {
    field.similarity = own->second;
  } else if (name == "boolean") {
    field.similarity.model = Similarity::Model::kBoolean;
  } else if (name != "BM25" && name != "default") {
    return mapper_parsing("Unknown Similarity type [" + name + "] for field [" + field.name + "]");
  }
  return {};
}

Status set_date(const Mapper& mapper, Field& field) {
  const std::string formats(mapper.effective("format").text());
  Result<std::shared_ptr<const DateFormats>> compiled = DateFormats::compile(formats);
  if (!compiled.ok()) {
    return mapper_parsing("Error parsing [format] on field [" + field.name +
                          "]: " + compiled.status().reason());
  }
  field.date_format = std::move(compiled).value();
  for (size_t at = 0; at != std::string::npos;) {
    const size_t bar = formats.find("||", at);
    field.formats.push_back(formats.substr(at, bar == std::string::npos ? bar : bar - at));
    at = bar == std::string::npos ? bar : bar + 2;
  }
  const std::string locale(mapper.effective("locale").text());
  if (locale != "ROOT" && !locale.starts_with("en") && !locale.empty()) {
    return mapper_parsing("[locale] on mapper [" + field.name + "] of type [" +
                          std::string(field_type_name(field.type)) + "] is [" + locale +
                          "], which is not supported, use [en] or [ROOT]");
  }
  return {};
}

/// The ends are parsed, compared and printed as values of a field of their type.
Status set_range(const Mapper& mapper, Field& field) {
  auto ends = std::make_shared<Field>();
  ends->name = field.name;
  ends->type = field.traits().ends;
  if (ends->is_date()) QUARRY_RETURN_IF_ERROR(set_date(mapper, field));
  ends->coerce = field.coerce;
  ends->date_format = field.date_format;
  field.ends = std::move(ends);
  return {};
}

Status set_token_count(const Mapper& mapper, const MappingContext& context, Field& field) {
  const JsonValue* analyzer = mapper.given("analyzer");
  if (analyzer == nullptr) {
    return mapper_parsing("Analyzer must be set for field [" + field.name + "] but wasn't.");
  }
  QUARRY_ASSIGN_OR_RETURN(field.analyzer, find_analyzer(analyzer->text(), *context.analysis));
  field.counts_gaps = flag(mapper, "enable_position_increments");
  return {};
}

void set_unscored(const Mapper& mapper, Field& field) {
  field.indexed = true;
  field.doc_values = true;
  field.similarity.model = Similarity::Model::kBoolean;
  field.ignore_above = count(mapper, "ignore_above", UINT32_MAX);
  if (const JsonValue* value = mapper.given("value")) field.constant = std::string(value->text());
}

Status set_scaling(const Mapper& mapper, Field& field) {
  const JsonValue* factor = mapper.given("scaling_factor");
  if (factor == nullptr)
    return mapper_parsing("Field [scaling_factor] is required (field [" + field.name + "])");
  field.scaling_factor = factor->as_double().value_or(0);
  if (field.scaling_factor > 0 && field.scaling_factor <= 1e300) return {};
  return mapper_parsing("[scaling_factor] must be a positive number, got [" +
                        std::string(factor->text()) + "]");
}

Status set_vector(const Mapper& mapper, Field& field) {
  QUARRY_ASSIGN_OR_RETURN(field.vector, read_vector_options(mapper, field.name));
  return {};
}

/// `vector` holds the search options of the companions, which are added when the mapping is
/// compiled.
Status set_semantic(const Mapper& mapper, Field& field) {
  QUARRY_ASSIGN_OR_RETURN(field.semantic, read_semantic_options(mapper, field.name));
  field.vector.dims = field.semantic->dims;
  if (const JsonValue* options = mapper.given("index_options")) {
    set_vector_index(*options, field.vector);
  }
  return {};
}

Status set_completion(const Mapper& mapper, const AnalysisRegistry& registry, Field& field) {
  QUARRY_ASSIGN_OR_RETURN(field.analyzer,
                          find_analyzer(mapper.effective("analyzer").text(), registry));
  field.search_analyzer = field.analyzer;
  if (const JsonValue* search = mapper.given("search_analyzer")) {
    QUARRY_ASSIGN_OR_RETURN(field.search_analyzer, find_analyzer(search->text(), registry));
  }
  field.search_quote_analyzer = field.search_analyzer;
  field.completion.separators = flag(mapper, "preserve_separators");
  field.completion.position_increments = flag(mapper, "preserve_position_increments");
  field.completion.max_input_length = count(mapper, "max_input_length", 50);
  field.indexed = true;
  field.doc_values = false;
  if (field.completion.max_input_length > 0) return {};
  return mapper_parsing("[max_input_length] must be > 0 but was [0] (field [" + field.name + "])");
}

/// A whole-number field truncates values of documents, but its null_value must not have a fraction.
Status check_fraction(const Field& field) {
  if (field.traits().integer == nullptr) return {};
  const std::optional<Decimal> decimal = parse_decimal(number_spelling(field, *field.null_value));
  if (!decimal || !decimal->fraction) return {};
  return mapper_parsing("Value [" + *field.null_value + "] has a decimal part");
}

/// Checks that null_value is a valid value of the field.
Status set_null_value(const Mapper& mapper, Field& field) {
  const JsonValue* given = mapper.given("null_value");
  if (given == nullptr) return {};
  field.null_value = std::string(given->text());
  Status status;
  if (field.is_numeric()) {
    Field lenient = field;
    lenient.coerce = true;
    lenient.analyzer = nullptr;  // the null_value of a token_count is the number itself
    status = parse_value(lenient, *field.null_value, given->is_string()).status();
    if (status.ok()) status = check_fraction(field);
  } else if (field.traits().codec != nullptr) {
    status = field.traits().codec->encode(*field.null_value).status();
  }
  if (status.ok()) return {};
  return mapper_parsing("Error parsing [null_value] on field [" + field.name +
                        "]: " + (status.cause().empty() ? status.reason() : status.cause()));
}

}  // namespace

Result<Field> make_field(const Mapper& mapper, const std::string& name,
                         const MappingContext& context) {
  Field field;
  field.name = name;
  field.type = mapper.type;
  field.indexed = (!field.is_opaque() || field.has_points()) && flag(mapper, "index");
  field.doc_values = flag(mapper, "doc_values");
  field.stored = flag(mapper, "store");
  field.ignore_malformed = mapper.given("ignore_malformed") != nullptr
                               ? flag(mapper, "ignore_malformed")
                               : context.limits.ignore_malformed;
  field.coerce = mapper.given("coerce") != nullptr ? flag(mapper, "coerce") : context.limits.coerce;
  QUARRY_RETURN_IF_ERROR(field.traits().configure(mapper, context, field));
  return field;
}

Status configure_plain(const Mapper& mapper, const MappingContext& context, Field& field) {
  QUARRY_RETURN_IF_ERROR(set_similarity(mapper, context, field));
  return set_null_value(mapper, field);
}

Status configure_text(const Mapper& mapper, const MappingContext& context, Field& field) {
  QUARRY_RETURN_IF_ERROR(set_text(mapper, context, field));
  return configure_plain(mapper, context, field);
}

Status configure_semantic_text(const Mapper& mapper, const MappingContext& context, Field& field) {
  QUARRY_RETURN_IF_ERROR(set_text(mapper, context, field));
  QUARRY_RETURN_IF_ERROR(set_semantic(mapper, field));
  return configure_plain(mapper, context, field);
}

Status configure_keyword(const Mapper& mapper, const MappingContext& context, Field& field) {
  QUARRY_RETURN_IF_ERROR(set_keyword(mapper, context, field));
  return configure_plain(mapper, context, field);
}

Status configure_unscored(const Mapper& mapper, const MappingContext& /*context*/, Field& field) {
  set_unscored(mapper, field);
  return set_null_value(mapper, field);
}

Status configure_point(const Mapper& mapper, const MappingContext& /*context*/, Field& field) {
  field.ignore_z = flag(mapper, "ignore_z_value");
  if (const JsonValue* point = mapper.given("null_value")) {
    field.null_value =
        std::string(point->find("lat")->text()) + "," + std::string(point->find("lon")->text());
  }
  return {};
}

Status configure_date(const Mapper& mapper, const MappingContext& context, Field& field) {
  QUARRY_RETURN_IF_ERROR(set_date(mapper, field));
  return configure_plain(mapper, context, field);
}

Status configure_range(const Mapper& mapper, const MappingContext& context, Field& field) {
  QUARRY_RETURN_IF_ERROR(set_range(mapper, field));
  return configure_plain(mapper, context, field);
}

Status configure_scaled_float(const Mapper& mapper, const MappingContext& context, Field& field) {
  QUARRY_RETURN_IF_ERROR(set_scaling(mapper, field));
  return configure_plain(mapper, context, field);
}

Status configure_token_count(const Mapper& mapper, const MappingContext& context, Field& field) {
  QUARRY_RETURN_IF_ERROR(set_token_count(mapper, context, field));
  return configure_plain(mapper, context, field);
}

Status configure_vector(const Mapper& mapper, const MappingContext& /*context*/, Field& field) {
  return set_vector(mapper, field);
}

Status configure_completion(const Mapper& mapper, const MappingContext& context, Field& field) {
  return set_completion(mapper, *context.analysis, field);
}

Status set_analyzers(const Mapper& mapper, const AnalysisRegistry& registry, Field& field) {
  field.analyzer = default_analyzer("default", registry);
  const JsonValue* index = mapper.given("analyzer");
  if (index != nullptr) {
    QUARRY_ASSIGN_OR_RETURN(field.analyzer, find_analyzer(index->text(), registry));
  }
  field.search_analyzer = field.analyzer;
  const JsonValue* search = mapper.given("search_analyzer");
  if (search != nullptr) {
    QUARRY_ASSIGN_OR_RETURN(field.search_analyzer, search->text() == "default"
                                                       ? default_analyzer("default", registry)
                                                       : find_analyzer(search->text(), registry));
  } else if (index == nullptr && registry.analyzer("default_search") != nullptr) {
    field.search_analyzer = registry.analyzer("default_search");
  }
  field.search_quote_analyzer = field.search_analyzer;
  if (const JsonValue* quote = mapper.given("search_quote_analyzer")) {
    QUARRY_ASSIGN_OR_RETURN(field.search_quote_analyzer, find_analyzer(quote->text(), registry));
  }
  return {};
}

}  // namespace quarry
