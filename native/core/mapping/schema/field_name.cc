// Checks and splits field names.
#include "mapping/schema/field_name.h"

#include <algorithm>
#include <iterator>

namespace quarry {

namespace {

constexpr std::string_view kMetadataFields[] = {"_field_names", "_id",      "_ignored", "_index",
                                                "_nested_path", "_routing", "_seq_no",  "_source",
                                                "_tier",        "_version"};

}  // namespace

Result<std::vector<std::string_view>> split_field_name(std::string_view name) {
  if (name.empty()) return illegal_argument("field name cannot be an empty string");
  if (name.find_first_not_of('.') == std::string_view::npos)
    return illegal_argument("field name cannot contain only dots");
  std::vector<std::string_view> parts;
  std::string_view rest = name;
  while (true) {
    const size_t dot = rest.find('.');
    const std::string_view part = rest.substr(0, dot);
    if (part.empty()) {
      return illegal_argument(
          "field name starting or ending with a [.] makes object resolution ambiguous: [" +
          std::string(name) + "]");
    }
    if (part.find_first_not_of(" \t\n\r\f\v") == std::string_view::npos) {
      return illegal_argument("field name cannot contain only whitespace: ['" + std::string(name) +
                              "']");
    }
    parts.push_back(part);
    if (dot == std::string_view::npos) return parts;
    rest.remove_prefix(dot + 1);
  }
}

std::string_view joined_from(const std::vector<std::string_view>& parts, size_t from) {
  const char* start = parts[from].data();
  return {start, static_cast<size_t>(parts.back().data() + parts.back().size() - start)};
}

bool is_metadata_field(std::string_view name) {
  return std::find(std::begin(kMetadataFields), std::end(kMetadataFields), name) !=
         std::end(kMetadataFields);
}

}  // namespace quarry
