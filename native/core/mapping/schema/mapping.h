// The field table of one index: created from and printed as the JSON of the mapping API, extended
// by dynamic mapping.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/status.h"
#include "mapping/schema/field.h"
#include "mapping/schema/index_sort.h"
#include "text/analysis/analyzer.h"

namespace quarry {

/// The maximum of `index.mapping.depth.limit`, because definitions are walked recursively.
inline constexpr uint32_t kDeepestMapping = 400;

/// Limits of one mapping, from index settings (index.mapping.*).
struct MappingLimits {
  uint32_t total_fields = 1000;
  uint32_t depth = 20;
  uint32_t field_name_length = 32766;
  uint32_t nested_fields = 100;
  uint32_t nested_objects = 10000;  // in one document
  bool ignore_malformed = false;    // index-wide default
  bool coerce = true;
};

/// The context that a mapping is compiled with: analysis, named similarities, limits, the order of
/// documents. Immutable.
struct MappingContext {
  std::shared_ptr<const AnalysisRegistry> analysis;
  std::map<std::string, Similarity, std::less<>>
      similarities;  // "default" and "BM25" may be overridden
  MappingLimits limits;
  std::vector<IndexSortKey> sort;  // empty: documents are in the order of their writes
  /// The error of sort settings that cannot be read. It only stops the creation of an index:
  /// earlier versions stored such settings without a check.
  Status sort_settings;
};

/// Reads `settings`, the body of index settings (analysis, similarity, mapping limits, sort), in
/// flat "index.x" and nested form.
Result<MappingContext> make_mapping_context(std::string_view settings_json);

/// An object whose values in a document are documents of their own, before it in its segment. Its
/// level is its place in Mapping::nested_objects() plus one; level 0 is that of whole documents.
struct NestedObject {
  std::string path;
  uint32_t outer = 0;              // the level of the enclosing nested object
  bool include_in_parent = false;  // its values are also values of the enclosing document
  bool include_in_root = false;    // and of the whole document, which they do not reach otherwise
};

enum class Dynamic : uint8_t { kTrue, kFalse, kStrict, kRuntimeRefused };

/// Immutable; every change creates a new mapping. Thread-safe.
class Mapping {
 public:
  virtual ~Mapping() = default;
  /// `json` is a `mappings` body ({"properties": …, "dynamic": …, "_meta": …, "dynamic_templates":
  /// […]}), or empty. The error is mapper_parsing_exception, which names the field, the parameter
  /// and the valid values.
  static Result<std::shared_ptr<const Mapping>> create(std::string_view json,
                                                       MappingContext context);
  /// This mapping with `json` merged in (PUT _mapping, or a dynamic update). Existing fields keep
  /// their ids. The error for a change of a type or of a fixed parameter is
  /// illegal_argument_exception.
  virtual Result<std::shared_ptr<const Mapping>> merge(std::string_view json) const = 0;
  /// The same definition compiled with other settings; fields keep their ids.
  virtual Result<std::shared_ptr<const Mapping>> with_context(MappingContext context) const = 0;

  /// The `mappings` body as the API prints it, keys in Elasticsearch's order (properties ordered by
  /// name).
  virtual std::string to_json() const = 0;
  /// Increases by one with every merge that changes something.
  virtual uint64_t version() const = 0;
  virtual const MappingContext& context() const = 0;

  /// Finds a field by its full name. An alias resolves to its target; "flat.key" resolves to the
  /// keyed field of a flattened field (see flattened_key). Null when the name is not mapped.
  virtual const Field* find(std::string_view name) const = 0;
  /// For a name below a flattened field, the part after the field's name; empty otherwise.
  virtual std::string_view flattened_key(std::string_view name) const = 0;
  virtual const Field& field(uint32_t id) const = 0;
  virtual std::span<const Field> fields() const = 0;  // by id; objects are not in it
  /// Ids of the semantic_text fields, including multi-fields.
  virtual std::span<const uint32_t> semantic_fields() const = 0;
  /// Fields whose full name matches a pattern with `*`, ordered by name, without companions. A name
  /// without wildcards matches at most itself.
  virtual std::vector<const Field*> match(std::string_view pattern) const = 0;
  /// The same, with aliases listed under their own names in addition to their targets.
  virtual std::vector<std::pair<std::string_view, const Field*>> match_names(
      std::string_view pattern) const = 0;
  /// Whether `name` is an object, or begins names with dots (for exists and source filtering).
  virtual bool is_object(std::string_view name) const = 0;
  /// The nested objects, each after those that enclose it.
  virtual std::span<const NestedObject> nested_objects() const = 0;
  /// The level of the nested object at `path`; 0 when there is none.
  virtual uint32_t nested_level(std::string_view path) const = 0;
  /// `_routing.required`: writes, gets and deletes must specify a routing value.
  virtual bool routing_required() const = 0;
  /// The definition of a field, multi-field, alias or object as the mapping API prints it ({"type":
  /// …}), optionally with every default; empty when the name is not mapped.
  virtual std::string definition(std::string_view name, bool include_defaults) const = 0;
  /// The target of an alias; empty when `name` is not an alias.
  virtual std::string_view alias_target(std::string_view name) const = 0;
};

}  // namespace quarry
