// The definition of a mapping as a tree: what was asked for, before analyzers are looked up and ids
// are given. Read by mapping_reader, joined by mapper_merge, printed by mapper_json, turned into
// fields by compiled_mapping.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "json/value.h"
#include "mapping/schema/dynamic_template.h"
#include "mapping/schema/field.h"
#include "mapping/schema/mapping.h"

namespace quarry {

struct Mapper;
using Mappers = std::map<std::string, std::unique_ptr<Mapper>, std::less<>>;

/// An object, a field or an alias.
struct Mapper {
  FieldType type = FieldType::kObject;
  // Fields. Only parameters that differ from their defaults.
  std::map<std::string, JsonValue, std::less<>> parameters;
  Mappers fields;  // multi-fields
  bool as_you_type = false;  // of type text: search_as_you_type (mapping/schema/as_you_type.h)
  std::vector<std::string> copy_to;
  // Aliases.
  std::string path;
  // Objects.
  std::optional<Dynamic> dynamic;
  std::optional<bool> enabled;
  Mappers properties;

  /// As mappings spell it.
  std::string_view type_name() const;
  bool is_object() const { return type == FieldType::kObject; }
  std::unique_ptr<Mapper> clone() const;
  /// Objects, fields, multi-fields and aliases below this one.
  size_t count() const;
  /// The parameter as given, or its default; null pointer when it has neither.
  const JsonValue* given(std::string_view name) const;
  JsonValue effective(std::string_view name) const;
};

/// What of a document is kept to be handed out again (`_source`). What is found does not depend on it.
struct SourceOptions {
  bool enabled = true;
  std::vector<std::string> includes;  // patterns; empty: everything
  std::vector<std::string> excludes;
  bool keeps_all() const { return enabled && includes.empty() && excludes.empty(); }
};

/// The root of a mapping with what only roots have. Optionals are empty where nothing was said.
struct RootMapper {
  Mapper object;
  std::optional<JsonValue> meta;
  std::optional<bool> routing_required;
  std::optional<SourceOptions> source;
  std::optional<std::vector<std::string>> date_formats;
  std::optional<std::vector<DynamicTemplate>> templates;
  std::optional<bool> date_detection;
  std::optional<bool> numeric_detection;

  RootMapper clone() const;
};

/// Parses a `mappings` body; an empty text is an empty mapping. Names may have dots. Does not look
/// at other fields: that is done when the whole is compiled.
Result<RootMapper> read_mapping(std::string_view json, const MappingContext& context);

/// A body that names the type `_doc`, as servers before 7 wanted it.
bool is_typed_mapping(std::string_view json);
/// {"_doc": {…}} and nothing else: the whole mapping stands below a type.
bool is_below_type(std::string_view json);

/// Adds `update` to `target`; illegal_argument_exception with Elasticsearch's words for what may
/// not change.
Status merge_mapping(RootMapper& target, const RootMapper& update);

/// The `mappings` body as the API prints it.
std::string mapping_to_json(const RootMapper& root);
/// One field's definition, {"type": …}; with all defaults when asked.
JsonValue mapper_to_json(const Mapper& mapper, bool include_defaults);

}  // namespace quarry
