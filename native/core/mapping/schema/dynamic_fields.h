// Derives the mapping of unmapped fields in a document: from dynamic templates first, then from the
// kind of JSON value.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "mapping/document/document_context.h"

namespace quarry {

/// Collects the new fields of one document. The first value of a field determines its mapping.
class DynamicFields {
 public:
  explicit DynamicFields(DocumentContext& context) : context_(context) {}

  using Path = std::vector<std::string_view>;

  /// Adds the value just read, up to its end; its field is `path` from the root. The first `known`
  /// parts of the path are mapped objects.
  Status add(const Path& path, size_t known);
  /// Adds the scalar just read, which some field copies to `target`; the scanner does not move.
  Status add_copy(const std::string& target);

  /// Sets a parameter of the mapped field `name` from its first value: dims of a dense_vector,
  /// value of a constant_keyword.
  Status set_parameter(const std::string& name, std::string parameter, JsonValue value);

  /// The `mappings` body to merge; empty when there is nothing to merge.
  std::string to_json() const;

 private:
  Status add_value(Path& path);
  Status add_object(Path& path);
  Status add_scalar(const Path& path);
  /// False when a template maps the object; its members are then added once it is mapped.
  Result<bool> open_object(const Path& path);
  /// Empty when no template matches.
  Result<std::optional<JsonValue>> from_template(const Path& path, DynamicKind kind,
                                                 std::string_view default_type);
  /// The name of the template that ParsedDocument::chosen_templates has for the path; empty when
  /// there is none.
  std::string_view chosen_template(const std::string& path);
  Result<JsonValue> guess(const Path& path, DynamicKind kind, std::string_view default_type);
  Result<JsonValue> guess_string(const Path& path);
  Result<JsonValue> guess_number(const Path& path, bool fractional, std::string_view text);
  Status put(const Path& path, JsonValue mapping);
  JsonValue known_object(const std::string& path) const;
  void place(const Path& path, JsonValue mapping);
  const JsonValue* find(const Path& path) const;

  DocumentContext& context_;
  JsonValue properties_ = JsonValue::object();
  size_t added_ = 0;
  std::optional<JsonValue> chosen_;  // chosen_templates, parsed when the first new field needs it
};

}  // namespace quarry
