// Guesses the mapping of what a document brings and nobody mapped: templates first, then by the
// kind of JSON value.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "mapping/document/document_context.h"

namespace quarry {

/// Collects the fields that one document needs. The first value of a field decides.
class DynamicFields {
 public:
  explicit DynamicFields(DocumentContext& context) : context_(context) {}

  using Path = std::vector<std::string_view>;

  /// The value just read, up to its end; its field is `path` from the root. `known` parts of the
  /// path are mapped objects.
  Status add(const Path& path, size_t known);
  /// The scalar just read, that some field copies to `target`; the scan stays where it is.
  Status add_copy(const std::string& target);

  /// The mapped field `name` takes what its first value says: dims of a dense_vector, value of a
  /// constant_keyword.
  Status set_parameter(const std::string& name, std::string parameter, JsonValue value);

  /// The `mappings` body to merge; empty when nothing is needed.
  std::string to_json() const;

 private:
  Status add_value(Path& path);
  Status add_object(Path& path);
  Status add_scalar(const Path& path);
  /// False when a template decides about the object: what is in it is looked at once it is mapped.
  Result<bool> open_object(const Path& path);
  /// Nothing when no template matches.
  Result<std::optional<JsonValue>> from_template(const Path& path, DynamicKind kind,
                                                 std::string_view default_type);
  /// The name that ParsedDocument::chosen_templates has for the path; empty: none.
  std::string_view chosen_template(const std::string& path);
  Result<JsonValue> guess(const Path& path, DynamicKind kind, std::string_view default_type);
  Result<JsonValue> guess_string(const Path& path);
  Result<JsonValue> guess_number(const Path& path, bool fractional, std::string_view text);
  Status put(const Path& path, JsonValue mapping);
  void place(const Path& path, JsonValue mapping);
  const JsonValue* find(const Path& path) const;

  DocumentContext& context_;
  JsonValue properties_ = JsonValue::object();
  size_t added_ = 0;
  std::optional<JsonValue> chosen_;  // chosen_templates, once a new field asked for them
};

}  // namespace quarry
