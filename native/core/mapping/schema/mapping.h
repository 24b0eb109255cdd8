// The field table of one index: from and to the JSON of the mapping API, grown by dynamic mapping.
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
#include "text/analysis/analyzer.h"

namespace quarry {

/// The most that `index.mapping.depth.limit` may be set to: definitions are walked recursively.
inline constexpr uint32_t kDeepestMapping = 400;

/// Limits of one mapping, from index settings (index.mapping.*).
struct MappingLimits {
  uint32_t total_fields = 1000;
  uint32_t depth = 20;
  uint32_t field_name_length = 32766;
  bool ignore_malformed = false;  // index-wide default
  bool coerce = true;
};

/// What a mapping is built against: analysis, named similarities, limits. Immutable.
struct MappingContext {
  std::shared_ptr<const AnalysisRegistry> analysis;
  std::map<std::string, Similarity, std::less<>>
      similarities;  // "default" and "BM25" may be overridden
  MappingLimits limits;
};

/// Reads `settings` (the body of index settings: analysis, similarity, mapping limits; flat
/// "index.x" and nested forms).
Result<MappingContext> make_mapping_context(std::string_view settings_json);

enum class Dynamic : uint8_t { kTrue, kFalse, kStrict, kRuntimeRefused };

/// Immutable; every change makes a new one. Thread-safe.
class Mapping {
 public:
  virtual ~Mapping() = default;
  /// `json`: a `mappings` body ({"properties": …, "dynamic": …, "_meta": …, "dynamic_templates":
  /// […]}), or empty. mapper_parsing_exception names the field, the parameter and what would be
  /// right.
  static Result<std::shared_ptr<const Mapping>> create(std::string_view json,
                                                       MappingContext context);
  /// This mapping plus `json` (PUT _mapping, or a dynamic update). Same field ids for what was
  /// there. Changing a type or a fixed parameter is illegal_argument_exception.
  virtual Result<std::shared_ptr<const Mapping>> merge(std::string_view json) const = 0;
  /// The same definition against other settings; field ids stay.
  virtual Result<std::shared_ptr<const Mapping>> with_context(MappingContext context) const = 0;

  /// The `mappings` body as the API prints it, keys in the order of Elasticsearch (properties
  /// sorted by name).
  virtual std::string to_json() const = 0;
  /// Grows by one with every merge that changed something.
  virtual uint64_t version() const = 0;
  virtual const MappingContext& context() const = 0;

  /// By full name; aliases resolve to their target; "flat.key" resolves below a flattened field
  /// (see flattened_key). Null when nobody mapped it.
  virtual const Field* find(std::string_view name) const = 0;
  /// For a name below a flattened field: the part after the field's name; empty otherwise.
  virtual std::string_view flattened_key(std::string_view name) const = 0;
  virtual const Field& field(uint32_t id) const = 0;
  virtual std::span<const Field> fields() const = 0;  // by id; objects are not in it
  /// Ids of the semantic_text fields, multi-fields too.
  virtual std::span<const uint32_t> semantic_fields() const = 0;
  /// Fields whose full name matches a pattern with `*`, in name order, without companions; a plain
  /// name gives at most itself.
  virtual std::vector<const Field*> match(std::string_view pattern) const = 0;
  /// The same, aliases under names of their own beside their targets.
  virtual std::vector<std::pair<std::string_view, const Field*>> match_names(
      std::string_view pattern) const = 0;
  /// True when `name` is a mapped object (for exists and source filtering).
  virtual bool is_object(std::string_view name) const = 0;
  /// `_routing.required`: writes, gets and deletes must name a routing value.
  virtual bool routing_required() const = 0;
  /// The definition of a field, multi-field, alias or object as the mapping API prints it ({"type":
  /// …}), with every default when asked; empty when nobody mapped the name.
  virtual std::string definition(std::string_view name, bool include_defaults) const = 0;
  /// The target of an alias; empty when `name` is none.
  virtual std::string_view alias_target(std::string_view name) const = 0;
};

}  // namespace quarry
