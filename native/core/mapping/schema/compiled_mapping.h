// A mapping compiled from the definition tree: fields with ids and analyzers, and the lookup tree
// that documents are parsed with.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "json/source_filter.h"
#include "mapping/dates/date_format.h"
#include "mapping/document/mapper.h"
#include "mapping/schema/mapping.h"

namespace quarry {

struct NameHash {
  using is_transparent = void;
  size_t operator()(std::string_view name) const noexcept {
    return std::hash<std::string_view>()(name);
  }
};
template <typename T>
using NameMap = std::unordered_map<std::string, T, NameHash, std::equal_to<>>;

/// An object in the lookup tree of documents.
struct ObjectNode {
  enum class Kind : uint8_t { kObject, kField, kAlias, kCompanion };
  struct Child {
    Kind kind = Kind::kField;
    // Index of an object or id of a field (for a companion: of its source field)
    uint32_t index = 0;
  };

  std::string path;  // empty for the root
  bool enabled = true;
  Dynamic dynamic = Dynamic::kTrue;  // its own or that of the nearest ancestor that has one
  uint32_t level = 0;                // Field::level of its fields
  bool nested = false;               // each of its values is a document of that level
  bool flat = false;                 // names of its children may have dots; none is an object
  NameMap<Child> children;
};

class CompiledMapping final : public Mapping {
 public:
  /// `previous` (may be null) supplies the field ids. The version is that of `previous`, plus one
  /// if the definition changed.
  static Result<std::shared_ptr<const Mapping>> compile(RootMapper root, MappingContext context,
                                                        const CompiledMapping* previous);

  Result<std::shared_ptr<const Mapping>> merge(std::string_view json) const override;
  Result<std::shared_ptr<const Mapping>> with_context(MappingContext context) const override;
  std::string to_json() const override { return json_; }
  uint64_t version() const override { return version_; }
  const MappingContext& context() const override { return context_; }
  const Field* find(std::string_view name) const override;
  std::string_view flattened_key(std::string_view name) const override;
  const Field& field(uint32_t id) const override { return fields_[id]; }
  std::span<const Field> fields() const override { return fields_; }
  std::span<const uint32_t> semantic_fields() const override { return semantic_fields_; }
  std::vector<const Field*> match(std::string_view pattern) const override;
  std::vector<std::pair<std::string_view, const Field*>> match_names(
      std::string_view pattern) const override;
  bool is_object(std::string_view name) const override;
  std::span<const NestedObject> nested_objects() const override { return nested_objects_; }
  uint32_t nested_level(std::string_view path) const override;
  bool routing_required() const override { return root_.routing_required.value_or(false); }
  std::string definition(std::string_view name, bool include_defaults) const override;
  std::string_view alias_target(std::string_view name) const override;

  // For document parsing.
  const ObjectNode& root_node() const { return objects_.front(); }
  const ObjectNode& object(uint32_t index) const { return objects_[index]; }
  /// Targets of copy_to that are not mapped yet.
  const std::vector<std::string>& unmapped_copies(uint32_t field) const;
  /// The field of the keys of a flattened field.
  uint32_t keyed_field(uint32_t flattened) const { return flattened + 1; }
  const RootMapper& definition_root() const { return root_; }
  bool stores_source() const { return !root_.source || root_.source->enabled; }
  /// A copy for the caller to use. Must not be called where the source is kept whole.
  SourceFilter source_filter() const { return *source_filter_; }
  bool keeps_whole_source() const { return !root_.source || root_.source->keeps_all(); }
  /// The constant_keyword fields that have a value, which every document receives.
  const std::vector<uint32_t>& constant_fields() const { return constant_fields_; }
  /// The number that the limit on total fields applies to: objects, fields, multi-fields, aliases.
  size_t field_count() const { return field_count_; }
  /// The formats of strings that are detected as dates; empty when date detection is off.
  const std::vector<std::shared_ptr<const DateFormats>>& detected_formats() const {
    return detected_formats_;
  }

 private:
  friend class MappingCompiler;

  RootMapper root_;
  std::optional<SourceFilter> source_filter_;  // absent where the source is kept whole
  MappingContext context_;
  uint64_t version_ = 1;
  std::string json_;
  size_t field_count_ = 0;
  std::vector<Field> fields_;
  std::vector<uint32_t> semantic_fields_;
  std::vector<uint32_t> constant_fields_;
  std::vector<ObjectNode> objects_;  // the root first
  std::vector<NestedObject> nested_objects_;
  NameMap<uint32_t> by_name_;  // fields, aliases resolved
  size_t longest_name_ = 0;    // the longest key of by_name_, in bytes
  NameMap<std::string> aliases_;
  NameMap<uint32_t> object_names_;
  std::unordered_set<std::string, NameHash, std::equal_to<>> flat_objects_;  // see is_object()
  std::unordered_map<uint32_t, std::vector<std::string>> unmapped_copies_;
  std::vector<std::shared_ptr<const DateFormats>> detected_formats_;
  std::vector<std::shared_ptr<const Analyzer>> own_analyzers_;  // analyzers used by a single field
};

/// Makes a field from a definition, with analyzers, similarity and formats resolved, but without
/// ids and references to other fields. The error is mapper_parsing_exception, which names the part
/// that does not exist or is not valid.
Result<Field> make_field(const Mapper& mapper, const std::string& name,
                         const MappingContext& context);

}  // namespace quarry
