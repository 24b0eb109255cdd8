// Resolves requested fields and reads their values from columns.
#include "query/fetch/fetch_fields.h"

#include <unordered_map>
#include <utility>

#include "mapping/dates/date_format.h"
#include "mapping/values/geo_point.h"
#include "mapping/values/numeric.h"
#include "query/fetch/fielddata.h"
#include "query/geo/point_column.h"

namespace quarry {
namespace {

constexpr std::string_view kFieldMapping =
    "use_field_mapping";  // formerly an explicit format, now the default

Status no_format(const Field& field) {
  return {ErrorType::kIllegalArgument, "Field [" + field.name + "] of type [" +
                                           std::string(field_type_name(field.type)) +
                                           "] doesn't support formats."};
}

/// Formats of numbers are applied when the response is written.
Status set_column_format(const std::string& format, RequestedField& requested) {
  const Field& field = *requested.field;
  if (format.empty() || format == kFieldMapping) return {};
  if (field.is_plain_number()) return {};
  if (!field.is_date()) {
    return {ErrorType::kIllegalArgument, "Field [" + field.name + "] of type [" +
                                             std::string(field_type_name(field.type)) +
                                             "] does not support custom formats"};
  }
  QUARRY_ASSIGN_OR_RETURN(requested.format, DateFormats::compile(format));
  return {};
}

Status set_format(const std::string& format, RequestedField& requested) {
  if (format.empty() || format == kFieldMapping) return {};
  const Field& field = *requested.field;
  if (field.has_points()) {
    requested.as_wkt = format == "wkt";
    if (requested.as_wkt || format == "geojson") return {};
    return illegal_argument("error fetching [" + field.name + "]: Unrecognized geometry format [" +
                            format + "], use [geojson] or [wkt]");
  }
  if (!field.holds_dates()) return no_format(field);
  QUARRY_ASSIGN_OR_RETURN(requested.format, DateFormats::compile(format));
  return {};
}

/// The fields that a pattern matches, under the names they are printed with.
std::vector<RequestedField> matching_fields(Compiler& compiler, const std::string& pattern) {
  std::vector<RequestedField> out;
  const auto add = [&out](std::string name, const Field* field, std::string prefix) {
    RequestedField requested;
    requested.name = std::move(name);
    requested.field = field;
    requested.prefix = std::move(prefix);
    out.push_back(std::move(requested));
  };
  if (pattern.find('*') == std::string::npos) {
    ResolvedField resolved = compiler.resolve(pattern);
    if (resolved.kind == ResolvedField::Kind::kField)
      add(pattern, resolved.field, std::move(resolved.prefix));
    return out;
  }
  for (const auto& [name, field] : compiler.mapping().match_names(pattern)) {
    if (!field->inferred) add(std::string(name), field, {});
  }
  return out;
}

Status check_doc_values(const Compiler& compiler, const Field& field) {
  if (field.is_text()) return text_without_fielddata(compiler, field);
  if (field.has_vectors()) return {};
  if (field.has_points() && field.doc_values) return {};
  if (field.doc_values && !field.is_opaque() && !field.is_range()) return {};
  return unsupported_fielddata(field);
}

/// Where the values of each field are in the source, looked up once for all requested fields.
class SourcePaths {
 public:
  explicit SourcePaths(const Mapping& mapping) {
    for (const Field& field : mapping.fields()) {
      for (const uint32_t id : field.multi_fields) of_[id].push_back({&field, true});
      for (const uint32_t id : field.copy_to) of_[id].push_back({&field, false});
    }
  }

  /// The source paths of a field: its own, those of its parent fields, and those of fields copied
  /// to it.
  std::vector<std::string> of(const RequestedField& requested) const {
    const Field& field = *requested.field;
    if (!requested.prefix.empty()) return {requested.name};
    std::vector<std::string> paths;
    bool multi_field = false;
    if (const auto found = of_.find(field.id); found != of_.end()) {
      for (const Origin& origin : found->second) {
        multi_field |= origin.is_parent;
        paths.push_back(origin.field->name);
      }
    }
    if (!multi_field) paths.insert(paths.begin(), field.name);
    return paths;
  }

 private:
  struct Origin {
    const Field* field;
    bool is_parent;  // of a multi-field; else the value is copied
  };
  std::unordered_map<uint32_t, std::vector<Origin>> of_;
};

/// Fields that all patterns of a request may lead to. Each takes a few hundred bytes, and work for
/// every document.
constexpr size_t kMostRequestedFields = 100'000;

Status too_many_fields() {
  return {ErrorType::kIllegalArgument, "the patterns of fields lead to more than [" +
                                           std::to_string(kMostRequestedFields) +
                                           "] fields: name fewer or narrower ones"};
}

std::string json_string(std::string_view text) {
  std::string out;
  append_json_string(out, text);
  return out;
}

}  // namespace

Status ShownBytes::refusal(std::string_view id) {
  return {ErrorType::kIllegalArgument,
          "the values of [fields] and [docvalue_fields] of the document [" + std::string(id) +
              "] take more than [" + std::to_string(kMost) + "] bytes: name fewer fields"};
}

Result<std::vector<RequestedField>> resolve_docvalue_fields(
    Compiler& compiler, const std::vector<FieldAndFormat>& requests) {
  std::vector<RequestedField> out;
  if (requests.empty()) return out;
  const SourcePaths paths(compiler.mapping());
  for (const FieldAndFormat& request : requests) {
    const bool pattern = request.pattern.find('*') != std::string::npos;
    for (RequestedField& requested : matching_fields(compiler, request.pattern)) {
      const Status usable = check_doc_values(compiler, *requested.field);
      if (!usable.ok() && pattern) continue;
      QUARRY_RETURN_IF_ERROR(usable);
      requested.vector = requested.field->has_vectors();
      if (requested.vector) {
        requested.paths = paths.of(requested);
      } else {
        QUARRY_RETURN_IF_ERROR(set_column_format(request.format, requested));
      }
      if (out.size() == kMostRequestedFields) return too_many_fields();
      out.push_back(std::move(requested));
    }
  }
  return out;
}

Result<std::vector<RequestedField>> resolve_source_fields(
    Compiler& compiler, const std::vector<FieldAndFormat>& requests) {
  std::vector<RequestedField> out;
  if (requests.empty()) return out;
  const SourcePaths paths(compiler.mapping());
  for (const FieldAndFormat& request : requests) {
    for (RequestedField& requested : matching_fields(compiler, request.pattern)) {
      QUARRY_RETURN_IF_ERROR(set_format(request.format, requested));
      requested.paths = paths.of(requested);
      if (out.size() == kMostRequestedFields) return too_many_fields();
      out.push_back(std::move(requested));
    }
  }
  return out;
}

std::vector<std::string> docvalue_texts(const RequestedField& requested, const Leaf& leaf,
                                        uint32_t doc) {
  std::vector<std::string> out;
  if (requested.field->has_points()) {
    const Column* const points = find_points(leaf, requested.field->name);
    if (points == nullptr) return out;
    points->each(doc, [&out](int64_t value) {
      out.push_back(json_string(point_to_text(decode_point(value))));
    });
    return out;
  }
  const SegmentField* field = leaf.segment->field(requested.field->name);
  if (field == nullptr || field->column == nullptr) return out;
  const TermCodec* codec = requested.field->traits().codec;
  const uint32_t count = field->column->count(doc);
  for (uint32_t i = 0; i < count; i++) {
    const int64_t value = field->column->value(doc, i);
    if (requested.field->is_numeric()) {
      out.push_back(requested.format != nullptr
                        ? json_string(format_date(*requested.field, value, requested.format.get()))
                        : column_to_json(*requested.field, value));
      continue;
    }
    if (field->inverted == nullptr || value < 0 || value >= field->inverted->terms().size())
      continue;
    const std::string_view term = field->inverted->terms().term(static_cast<uint32_t>(value));
    if (!term.starts_with(requested.prefix)) continue;
    const std::string_view text = term.substr(requested.prefix.size());
    out.push_back(json_string(codec == nullptr ? std::string(text) : codec->print(text)));
  }
  return out;
}

}  // namespace quarry
