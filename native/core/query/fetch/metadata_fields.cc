// Defines which names can be shown, and the errors for the others with Elasticsearch's messages.
#include "query/fetch/metadata_fields.h"

#include <algorithm>
#include <optional>
#include <string>

#include "base/status.h"

namespace quarry {
namespace {

struct Named {
  std::string_view name;
  MetadataField field;
};
constexpr Named kShown[] = {{"_id", MetadataField::kId},
                            {"_index", MetadataField::kIndex},
                            {"_routing", MetadataField::kRouting},
                            {"_ignored", MetadataField::kIgnored},
                            {"_version", MetadataField::kVersion}};
constexpr std::string_view kWithoutValues[] = {"_source", "_seq_no", "_field_names",
                                               "_nested_path"};
constexpr std::string_view kWithoutColumns[] = {"_source", "_routing", "_field_names",
                                                "_nested_path", "_doc_count"};
constexpr std::string_view kNotSearchable[] = {"_source", "_field_names", "_nested_path",
                                               "_doc_count"};

std::optional<MetadataField> find_shown(std::string_view name) {
  for (const Named& known : kShown) {
    if (known.name == name) return known.field;
  }
  return std::nullopt;
}

template <size_t N>
bool is_among(const std::string_view (&names)[N], std::string_view name) {
  return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

Status check_column(const FieldAndFormat& request) {
  const std::string& name = request.pattern;
  if (name == "_id") {
    return illegal_argument(
        "Fielddata access on the _id field is disallowed, ask for [_id] by [fields] instead");
  }
  if (is_among(kWithoutColumns, name))
    return illegal_argument("Fielddata is not supported on field [" + name + "] of type [" + name +
                            "]");
  if (!request.format.empty() && name == "_index")
    return illegal_argument("Field [_index] of type [_index] does not support custom formats");
  return {};
}

}  // namespace

bool is_not_searchable(std::string_view name) { return is_among(kNotSearchable, name); }

std::string_view metadata_name(MetadataField field) {
  return kShown[static_cast<size_t>(field)].name;
}

Result<std::vector<MetadataField>> resolve_metadata_fields(
    const std::vector<FieldAndFormat>& requests) {
  std::vector<MetadataField> out;
  for (const FieldAndFormat& request : requests) {
    if (is_among(kWithoutValues, request.pattern)) {
      return illegal_argument("error fetching [" + request.pattern +
                              "]: Cannot fetch values for internal field [" + request.pattern +
                              "].");
    }
    if (const auto field = find_shown(request.pattern)) out.push_back(*field);
  }
  return out;
}

Result<std::vector<MetadataField>> resolve_metadata_columns(
    const std::vector<FieldAndFormat>& requests) {
  std::vector<MetadataField> out;
  for (const FieldAndFormat& request : requests) {
    QUARRY_RETURN_IF_ERROR(check_column(request));
    if (const auto field = find_shown(request.pattern)) out.push_back(*field);
  }
  return out;
}

std::vector<std::string> internal_texts(const Segment& segment, std::string_view name,
                                        uint32_t doc) {
  std::vector<std::string> out;
  const SegmentField* field = segment.field(name);
  if (field == nullptr || field->column == nullptr || field->inverted == nullptr) return out;
  for (uint32_t i = 0; i < field->column->count(doc); i++) {
    const int64_t ordinal = field->column->value(doc, i);
    if (ordinal < 0 || ordinal >= field->inverted->terms().size()) continue;
    out.emplace_back(field->inverted->terms().term(static_cast<uint32_t>(ordinal)));
  }
  return out;
}

std::vector<std::string> metadata_texts(const SearchContext& context, MetadataField field,
                                        const Segment& segment, uint32_t doc) {
  std::vector<std::string> out;
  if (field == MetadataField::kVersion) return {std::to_string(segment.ids().version(doc).version)};
  if (field == MetadataField::kId) {
    IdBuffer buffer;
    out.emplace_back(segment.ids().id(doc, buffer));
  } else if (field == MetadataField::kIndex) {
    out.emplace_back(context.index_name);
  } else {
    out = internal_texts(segment, metadata_name(field), doc);
  }
  for (std::string& text : out) {
    std::string json;
    append_json_string(json, text);
    text = std::move(json);
  }
  return out;
}

}  // namespace quarry
