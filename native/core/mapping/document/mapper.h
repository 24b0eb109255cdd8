// The definition of a mapping as a tree: what the client specified, before analyzers are resolved
// and field ids are assigned. It is read by mapping_reader, joined by mapper_merge, printed by
// mapper_json and turned into fields by compiled_mapping.
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

/// The definition of an object, a field or an alias.
struct Mapper {
  FieldType type = FieldType::kObject;
  // For fields; only parameters that differ from their defaults.
  std::map<std::string, JsonValue, std::less<>> parameters;
  Mappers fields;            // multi-fields
  bool as_you_type = false;  // of type text: search_as_you_type (mapping/schema/as_you_type.h)
  std::vector<std::string> copy_to;
  // For aliases.
  std::string path;
  // For objects.
  std::optional<Dynamic> dynamic;
  std::optional<bool> enabled;
  // For nested objects.
  std::optional<bool> include_in_parent;
  std::optional<bool> include_in_root;
  /// False: names of the properties may have dots, and none of them is an object.
  std::optional<bool> subobjects;
  Mappers properties;
  // For fields and objects: kept and printed, since sources are never put together from fields.
  std::string source_keep;

  /// The type as spelled in mappings.
  std::string_view type_name() const;
  bool is_object() const { return type == FieldType::kObject || is_nested(); }
  bool is_nested() const { return type == FieldType::kNested; }
  bool is_flat() const { return subobjects == false; }
  std::unique_ptr<Mapper> clone() const;
  /// The number of objects, fields, multi-fields and aliases below this one.
  size_t count() const;
  /// given(): the parameter as specified, null when it is not. effective(): that or the default of
  /// the type.
  const JsonValue* given(std::string_view name) const;
  JsonValue effective(std::string_view name) const;
};

/// Which part of a document's source is stored (`_source`). It has no effect on what a search
/// matches.
struct SourceOptions {
  bool enabled = true;
  std::vector<std::string> includes;  // patterns; empty: everything
  std::vector<std::string> excludes;
  bool keeps_all() const { return enabled && includes.empty() && excludes.empty(); }
};

/// The root of a mapping with the keys that only a root has. An empty optional means that the key
/// was not given.
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

/// Parses a `mappings` body; an empty string is an empty mapping. Names may have dots. References
/// to other fields are checked when the mapping is compiled, not here. `onto`: the mapping that
/// will be updated, whose objects without subobjects stay so; null for a new mapping.
Result<RootMapper> read_mapping(std::string_view json, const MappingContext& context,
                                const RootMapper* onto);

/// Whether the body is wrapped in the type `_doc`, as required by servers before version 7.
bool is_typed_mapping(std::string_view json);
/// Whether the body is {"_doc": {…}} with no other key, so that the whole mapping is inside a type.
bool is_below_type(std::string_view json);

/// Merges `update` into `target`. The error for a change that is not allowed is
/// illegal_argument_exception with Elasticsearch's wording.
Status merge_mapping(RootMapper& target, const RootMapper& update);

/// The `mappings` body as the API prints it.
std::string mapping_to_json(const RootMapper& root);
/// The definition at a path below `root`, through objects and multi-fields; null when there is
/// none.
const Mapper* find_mapper(const Mapper& root, std::string_view path);
/// The definition of one field, {"type": …}, optionally with all defaults.
JsonValue mapper_to_json(const Mapper& mapper, bool include_defaults);

}  // namespace quarry
