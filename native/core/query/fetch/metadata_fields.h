// Fields that every index has and no mapping lists (`_id`, `_index` …), among the names of `fields`
// and `docvalue_fields`. They have to be named in full; patterns do not match them.
#pragma once

#include <string_view>
#include <vector>

#include "query/fetch/fetch_fields.h"

namespace quarry {

/// Metadata fields whose values can be shown.
enum class MetadataField : uint8_t { kId, kIndex, kRouting, kIgnored, kVersion };

/// True for metadata fields that cannot be searched, sorted or counted by.
bool is_not_searchable(std::string_view name);

std::string_view metadata_name(MetadataField field);

/// The metadata fields that `fields` requests; illegal_argument_exception for those without values
/// to show.
Result<std::vector<MetadataField>> resolve_metadata_fields(
    const std::vector<FieldAndFormat>& requests);
/// The metadata fields that `docvalue_fields` requests.
Result<std::vector<MetadataField>> resolve_metadata_columns(
    const std::vector<FieldAndFormat>& requests);

/// The values of an internal keyword field ("_ignored", "_routing") of a document.
std::vector<std::string> internal_texts(const Segment& segment, std::string_view name,
                                        uint32_t doc);
/// The values of a document as JSON.
std::vector<std::string> metadata_texts(const SearchContext& context, MetadataField field,
                                        const Segment& segment, uint32_t doc);

}  // namespace quarry
