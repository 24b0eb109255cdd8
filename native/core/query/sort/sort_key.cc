// Creates sort sources from the sort keys of a plan; checks what each field type can be sorted by.
#include "query/sort/sort_key.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

#include "mapping/dates/date_format.h"
#include "mapping/dates/date_number.h"
#include "mapping/schema/number_types.h"
#include "mapping/values/numeric.h"
#include "query/fetch/fielddata.h"
#include "query/nested/nested_query.h"
#include "query/nested/nested_sort.h"

namespace quarry {
namespace {

Status no_fielddata(const Compiler& compiler, const Field& field) {
  const std::string_view message = field.traits().not_sortable;
  if (!message.empty()) return illegal_argument(field_message(message, field));
  if (field.is_text()) return text_without_fielddata(compiler, field);
  return unsupported_fielddata(field);
}

bool is_numeric_only(SortMode mode) {
  return mode == SortMode::kSum || mode == SortMode::kAvg || mode == SortMode::kMedian;
}

Result<int64_t> parse_missing(const SortKey& key, const NumberSortSpec& spec, int64_t now_ms) {
  const std::string& text = key.missing_value.text;
  const bool fraction = number_kind(*spec.field) == NumberKind::kDouble && !spec.as_integer;
  if (spec.as_double || fraction) {
    double value = 0;
    const char* end = text.data() + text.size();
    const auto [rest, error] = std::from_chars(text.data(), end, value);
    if (error == std::errc() && rest == end) return sortable_from_double(value);
    return Status(ErrorType::kNumberFormat, "For input string: \"" + text + "\"");
  }
  // A number is the value itself, whatever format dates have.
  const bool moment = spec.field->is_date() && !key.missing_value.quoted();
  if (moment) {
    if (const std::optional<int64_t> value = read_date_number(text)) return *value;
  }
  if (spec.as_integer) {
    int64_t value = 0;
    const char* end = text.data() + text.size();
    const auto [rest, error] = std::from_chars(text.data(), end, value);
    if (error == std::errc() && rest == end) return value;
    return Status(ErrorType::kNumberFormat, "For input string: \"" + text + "\"");
  }
  // Unlike numbers in documents, an option must not have white space around the number.
  if (trimmed_number(text).size() != text.size())
    return Status(ErrorType::kNumberFormat, "For input string: \"" + text + "\"");
  QUARRY_ASSIGN_OR_RETURN(const Bound bound,
                          parse_bound(*spec.field, text, key.missing_value.quoted(),
                                      BoundKind::kExact, false, key.format, {}, now_ms));
  if (bound.none) return Status(ErrorType::kNumberFormat, "For input string: \"" + text + "\"");
  if (spec.milliseconds) return nanos_to_ms(bound.value);
  return bound.value;
}

Status set_numeric_type(const std::string& type, NumberSortSpec& spec) {
  const NumberKind kind = number_kind(*spec.field);
  if (type.empty()) return {};
  if (type == "double") {
    spec.as_double = kind != NumberKind::kDouble;
  } else if (type == "long" || type == "date") {
    spec.as_integer = kind == NumberKind::kDouble;
    spec.milliseconds = type == "date" && spec.field->traits().nanoseconds;
  } else if (type == "date_nanos") {
    if (kind != NumberKind::kDate) {
      return {ErrorType::kIllegalArgument,
              "[numeric_type] [date_nanos] needs a date field, [" + spec.field->name +
                  "] is of type [" + std::string(field_type_name(spec.field->type)) + "]"};
    }
    spec.nanoseconds = !spec.field->traits().nanoseconds;
  } else {
    return {
        ErrorType::kIllegalArgument,
        "invalid value for [numeric_type], must be [long, double, date, date_nanos], got " + type};
  }
  return {};
}

Result<std::unique_ptr<SortSource>> make_number(Compiler& compiler, const SortKey& key,
                                                const Field& field) {
  NumberSortSpec spec;
  spec.field = &field;
  spec.descending = key.descending;
  spec.mode = key.mode;
  QUARRY_RETURN_IF_ERROR(set_numeric_type(key.numeric_type, spec));
  spec.missing_first = key.missing == 1;
  // The default of Elasticsearch for these types.
  spec.bits32 = key.numeric_type.empty() && field.traits().missing_32_bits;
  if (key.missing == 2) {
    spec.has_missing_value = true;
    QUARRY_ASSIGN_OR_RETURN(spec.missing_value, parse_missing(key, spec, compiler.now_ms()));
  }
  if (!key.format.empty()) {
    if (!field.is_date()) {
      return Status(ErrorType::kIllegalArgument, "Field [" + field.name + "] of type [" +
                                                     std::string(field_type_name(field.type)) +
                                                     "] doesn't support formats.");
    }
    QUARRY_ASSIGN_OR_RETURN(spec.format, DateFormats::compile(key.format));
  }
  QUARRY_ASSIGN_OR_RETURN(spec.nested, nested_docs_of(compiler, key, field));
  return make_number_sort(std::move(spec));
}

Result<std::unique_ptr<SortSource>> make_terms(Compiler& compiler, const SortKey& key,
                                               const Field& field, std::string prefix) {
  if (is_numeric_only(key.mode)) {
    return Status(ErrorType::kQueryShard,
                  "we only support AVG, MEDIAN and SUM on number based fields");
  }
  if (!key.numeric_type.empty()) {
    return Status(ErrorType::kQueryShard,
                  "[numeric_type] option cannot be set on a non-numeric field, got " +
                      std::string(field_type_name(field.type)));
  }
  if (!key.format.empty()) {
    return Status(ErrorType::kIllegalArgument, "Field [" + field.name + "] of type [" +
                                                   std::string(field_type_name(field.type)) +
                                                   "] does not support custom formats");
  }
  TermSortSpec spec;
  spec.field = &field;
  spec.prefix = std::move(prefix);
  spec.descending = key.descending;
  spec.largest = key.mode == SortMode::kMax || (key.mode == SortMode::kDefault && key.descending);
  spec.missing_first = key.missing == 1;
  if (key.missing == 2) {
    spec.has_missing_value = true;
    spec.missing_value = key.missing_value.text;
    if (const TermCodec* codec = field.traits().codec) {
      QUARRY_ASSIGN_OR_RETURN(spec.missing_value, codec->encode(key.missing_value.text));
    }
  }
  QUARRY_ASSIGN_OR_RETURN(spec.nested, nested_docs_of(compiler, key, field));
  return make_term_sort(std::move(spec));
}

Result<std::unique_ptr<SortSource>> make_field_sort(Compiler& compiler, const SortKey& key,
                                                    const Field& field, std::string prefix) {
  if (field.is_text() || field.is_opaque() || field.is_range() || !field.doc_values) {
    return no_fielddata(compiler, field);
  }
  if (field.is_numeric()) return make_number(compiler, key, field);
  if (field.has_ordinals()) return make_terms(compiler, key, field, std::move(prefix));
  return no_fielddata(compiler, field);
}

Result<std::unique_ptr<SortSource>> make_source(Compiler& compiler, const SortKey& key) {
  if (key.has_query) return make_query_sort(compiler, key.query, key.descending);
  if (key.field == "_score") return make_score_sort(key.descending);
  if (key.field == "_doc") return make_doc_sort(key.descending);
  if (key.field == kScriptSort) return make_script_sort(compiler, key);
  if (key.field == kDistanceSort) return make_distance_sort(compiler, key);
  if (key.field == "_shard_doc") {
    return make_shard_doc_sort(key.descending, compiler.context().index_place);
  }
  ResolvedField resolved = compiler.resolve(key.field);
  switch (resolved.kind) {
    case ResolvedField::Kind::kId:
      return make_id_sort(key.descending);
    case ResolvedField::Kind::kIndexName:
      return make_constant_sort(std::string(compiler.context().index_name));
    case ResolvedField::Kind::kField:
      return make_field_sort(compiler, key, *resolved.field, std::move(resolved.prefix));
    case ResolvedField::Kind::kUnmapped:
      break;
  }
  if (key.unmapped_type.empty()) {
    return Status(ErrorType::kQueryShard,
                  "No mapping found for [" + key.field + "] in order to sort on");
  }
  const Field* stand_in = compiler.stand_in(key.field, key.unmapped_type);
  if (stand_in == nullptr) {
    return Status(ErrorType::kIllegalArgument,
                  "No mapper found for type [" + key.unmapped_type + "]");
  }
  // No document has a value of it, wherever it looks for one.
  SortKey valueless = key;
  valueless.nested.clear();
  return make_field_sort(compiler, valueless, *stand_in, {});
}

}  // namespace

Result<std::shared_ptr<NestedSortDocs>> nested_docs_of(Compiler& compiler, const SortKey& key,
                                                       const Field& field) {
  if (key.nested.empty()) {
    const Mapping& mapping = compiler.mapping();
    if (!is_inside(mapping, field.level, compiler.level()) ||
        is_included(mapping, field.level, compiler.level())) {
      return std::shared_ptr<NestedSortDocs>();
    }
    return Status(ErrorType::kQueryShard,
                  "it is mandatory to set the [nested] context on the nested sort field: [" +
                      field.name + "].");
  }
  if (key.mode == SortMode::kMedian) {
    return illegal_argument("[sort] [mode] [median] of [" + key.field +
                            "] is not supported with [nested], use [min], [max], [sum] or [avg]");
  }
  return NestedSortDocs::make(compiler, key.nested);
}

Status bad_search_after(std::string_view field) {
  return {ErrorType::kIllegalArgument,
          "Failed to parse search_after value for field [" + std::string(field) + "]."};
}

size_t keys_in_index_order(const SortSources& sources, std::span<const IndexSortKey> index_sort) {
  const size_t most = std::min(sources.size(), index_sort.size());
  size_t count = 0;
  while (count < most && sources[count]->follows(index_sort[count])) count++;
  return count;
}

Result<SortSources> make_sort_sources(Compiler& compiler, const std::vector<SortKey>& keys) {
  SortSources sources;
  for (const SortKey& key : keys) {
    QUARRY_ASSIGN_OR_RETURN(std::unique_ptr<SortSource> source, make_source(compiler, key));
    sources.push_back(std::move(source));
  }
  return sources;
}

}  // namespace quarry
