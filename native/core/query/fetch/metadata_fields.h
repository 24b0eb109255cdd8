// Fields that every index has and no mapping lists (`_id`, `_index` …), among the names of `fields` and
// `docvalue_fields`. They are asked for by their names; patterns never mean them.
#pragma once

#include <string_view>
#include <vector>

#include "query/fetch/fetch_fields.h"

namespace quarry {

/// Those whose values can be shown.
enum class MetadataField : uint8_t { kId, kIndex, kRouting, kIgnored, kVersion };

/// Metadata fields that hold nothing to search, sort or count by.
bool is_not_searchable(std::string_view name);

std::string_view metadata_name(MetadataField field);

/// The requests by `fields` that mean one of them; illegal_argument_exception for those that have no values to show.
Result<std::vector<MetadataField>> resolve_metadata_fields(
    const std::vector<FieldAndFormat>& requests);
/// The same by `docvalue_fields`.
Result<std::vector<MetadataField>> resolve_metadata_columns(
    const std::vector<FieldAndFormat>& requests);

/// Texts of an internal keyword field ("_ignored", "_routing") of a document.
std::vector<std::string> internal_texts(const Segment& segment, std::string_view name,
                                        uint32_t doc);
/// The values of a document as JSON texts.
std::vector<std::string> metadata_texts(const SearchContext& context, MetadataField field,
                                        const Segment& segment, uint32_t doc);

}  // namespace quarry
