// Compiles definitions to fields and lookup tables; creates, merges and describes mappings.
#include "mapping/schema/compiled_mapping.h"

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "base/status.h"
#include "json/source_filter.h"
#include "mapping/schema/as_you_type.h"
#include "mapping/schema/field_name.h"
#include "mapping/schema/semantic_parameters.h"

namespace quarry {

namespace {

/// The date formats that are detected by default.
constexpr std::string_view kDetectedFormats[] = {kDefaultDateFormat,
                                                 "yyyy/MM/dd HH:mm:ss||yyyy/MM/dd||epoch_millis"};

constexpr std::string_view kCompanionSuffix = "_vector";

std::string join_path(const std::string& path, const std::string& name) {
  return path.empty() ? name : path + "." + name;
}

}  // namespace

/// Builds one CompiledMapping: objects and fields first, then references to others by name.
class MappingCompiler {
 public:
  MappingCompiler(CompiledMapping& out, const CompiledMapping* previous) : out_(out) {
    if (previous == nullptr) return;
    // Ids are kept; the fields themselves are built again, since an update may have changed their
    // parameters.
    out_.fields_.resize(previous->fields_.size());
    for (const Field& field : previous->fields_) old_ids_.emplace(field.name, field.id);
  }

  Status compile() {
    const MappingLimits& limits = out_.context_.limits;
    out_.field_count_ = out_.root_.object.count();
    if (out_.field_count_ > limits.total_fields) {
      return illegal_argument("Limit of total fields [" + std::to_string(limits.total_fields) +
                              "] has been exceeded");
    }
    QUARRY_RETURN_IF_ERROR(add_object(out_.root_.object, "", "", {}, 1).status());
    for (const auto& [mapper, parent, name] : fields_) {
      QUARRY_RETURN_IF_ERROR(add_field(*mapper, parent, name));
    }
    for (const Semantic& semantic : semantic_) {
      QUARRY_RETURN_IF_ERROR(add_companions(semantic));
    }
    for (const auto& [mapper, parent, name] : alias_mappers_) {
      QUARRY_RETURN_IF_ERROR(add_alias(*mapper, parent, name));
    }
    for (const auto& [id, mapper] : copies_) {
      QUARRY_RETURN_IF_ERROR(link_copies(id, *mapper));
    }
    return set_detection();
  }

 private:
  struct Pending {
    const Mapper* mapper;
    uint32_t parent;  // index of an object
    std::string name;
  };
  struct Semantic {
    uint32_t field;
    uint32_t parent;   // index of an object
    std::string name;  // within the parent; empty for multi-fields, which documents do not address
  };

  /// What an object has from those around it.
  struct Inherited {
    Dynamic dynamic = Dynamic::kTrue;
    uint32_t level = 0;
  };

  Result<uint32_t> add_object(const Mapper& mapper, const std::string& path,
                              const std::string& name, const Inherited& inherited, uint32_t depth) {
    const std::string full = name.empty() ? path : join_path(path, name);
    if (depth > out_.context_.limits.depth) {
      return illegal_argument("Limit of mapping depth [" +
                              std::to_string(out_.context_.limits.depth) +
                              "] has been exceeded due to object field [" + full + "]");
    }
    const auto index = static_cast<uint32_t>(out_.objects_.size());
    Inherited own{mapper.dynamic.value_or(inherited.dynamic), inherited.level};
    if (mapper.is_nested()) {
      QUARRY_ASSIGN_OR_RETURN(own.level, add_nested(mapper, full, inherited.level));
    }
    out_.objects_.push_back({full,
                             mapper.enabled.value_or(true),
                             own.dynamic,
                             own.level,
                             mapper.is_nested(),
                             mapper.is_flat(),
                             {}});
    if (!full.empty()) out_.object_names_.emplace(full, index);
    for (const auto& [child_name, child] : mapper.properties) {
      if (child->is_object()) {
        QUARRY_ASSIGN_OR_RETURN(const uint32_t below,
                                add_object(*child, full, child_name, own, depth + 1));
        out_.objects_[index].children.emplace(child_name,
                                              ObjectNode::Child{ObjectNode::Kind::kObject, below});
      } else {
        (child->type == FieldType::kAlias ? alias_mappers_ : fields_)
            .push_back({child.get(), index, child_name});
      }
    }
    return index;
  }

  /// Returns the level of the documents at `path`.
  Result<uint32_t> add_nested(const Mapper& mapper, const std::string& path, uint32_t outer) {
    const uint32_t limit = out_.context_.limits.nested_fields;
    if (out_.nested_objects_.size() >= limit) {
      return illegal_argument("Limit of nested fields [" + std::to_string(limit) +
                              "] has been exceeded");
    }
    NestedObject object{path, outer, mapper.include_in_parent.value_or(false), false};
    object.include_in_root =
        mapper.include_in_root.value_or(false) && !(object.include_in_parent && is_in_root(outer));
    out_.nested_objects_.push_back(std::move(object));
    return static_cast<uint32_t>(out_.nested_objects_.size());
  }

  /// Whether the values of the documents of a level are also values of the whole document.
  bool is_in_root(uint32_t level) const {
    if (level == 0) return true;
    const NestedObject& object = out_.nested_objects_[level - 1];
    return object.include_in_root || (object.include_in_parent && is_in_root(object.outer));
  }

  uint32_t id_of(const std::string& name) {
    const auto old = old_ids_.find(name);
    if (old != old_ids_.end()) return old->second;
    out_.fields_.emplace_back();
    return static_cast<uint32_t>(out_.fields_.size() - 1);
  }

  /// Whether a field of nested documents can have the type.
  Status check_nested(const Field& field, uint32_t level) const {
    const auto refused = [&](const std::string& what) {
      return mapper_parsing("Field [" + field.name + "] has type [" +
                            std::string(field_type_name(field.type)) +
                            "], which is not supported inside " + what);
    };
    if (level > 0 && !field.traits().below_nested) {
      return refused("the nested field [" + out_.nested_objects_[level - 1].path +
                     "], map it outside of it");
    }
    // The document around would have several vectors, or several values of a feature.
    const bool single = field.has_vectors() || field.traits().features != FeatureKind::kNone;
    for (; single && level > 0; level = out_.nested_objects_[level - 1].outer) {
      const NestedObject& object = out_.nested_objects_[level - 1];
      if (!object.include_in_parent && !object.include_in_root) continue;
      return refused("a nested field with [include_in_parent] or [include_in_root]: [" +
                     object.path + "]");
    }
    return {};
  }

  Result<uint32_t> place_field(const Mapper& mapper, const std::string& name, uint32_t level) {
    QUARRY_ASSIGN_OR_RETURN(Field field, make_field(mapper, name, out_.context_));
    QUARRY_RETURN_IF_ERROR(check_nested(field, level));
    const uint32_t id = id_of(name);
    field.id = id;
    field.level = level;
    out_.by_name_.emplace(name, id);
    if (mapper.type == FieldType::kFlattened) {
      // The keyed field always takes the next id, since both ids are assigned together.
      Field keyed = field;
      keyed.name = name + "._keyed";
      keyed.id = id_of(keyed.name);
      keyed.type = FieldType::kFlattenedKeyed;
      keyed.inferred = true;
      const uint32_t keyed_id = keyed.id;
      out_.fields_[keyed_id] = std::move(keyed);
    }
    if (field.constant) out_.constant_fields_.push_back(id);
    out_.fields_[id] = std::move(field);
    return id;
  }

  Status add_field(const Mapper& mapper, uint32_t parent, const std::string& name) {
    const std::string full = join_path(out_.objects_[parent].path, name);
    const uint32_t level = out_.objects_[parent].level;
    QUARRY_ASSIGN_OR_RETURN(const uint32_t id, place_field(mapper, full, level));
    for (size_t dot = name.find('.'); dot != std::string::npos; dot = name.find('.', dot + 1))
      out_.flat_objects_.insert(full.substr(0, full.size() - name.size() + dot));
    out_.objects_[parent].children.emplace(name, ObjectNode::Child{ObjectNode::Kind::kField, id});
    if (mapper.type == FieldType::kSemanticText) semantic_.push_back({id, parent, name});
    place_grams(mapper, id, id);
    for (const auto& [sub_name, sub] : mapper.fields) {
      QUARRY_ASSIGN_OR_RETURN(const uint32_t sub_id,
                              place_field(*sub, full + "." + sub_name, level));
      out_.fields_[id].multi_fields.push_back(sub_id);
      place_grams(*sub, sub_id, id);
      if (sub->type == FieldType::kSemanticText) semantic_.push_back({sub_id, parent, {}});
      multi_field_names_.emplace(full + "." + sub_name, sub_id);
    }
    if (!mapper.copy_to.empty()) copies_.emplace_back(id, &mapper);
    return {};
  }

  /// Adds the additional fields of `of`, a search_as_you_type field. They receive the values of the
  /// field `with`.
  void place_grams(const Mapper& mapper, uint32_t of, uint32_t with) {
    if (!mapper.as_you_type) return;
    const Field field = out_.fields_[of];
    for (GramField& gram : make_gram_fields(mapper, field)) {
      const uint32_t id = id_of(gram.field.name);
      gram.field.id = id;
      gram.field.level = field.level;
      out_.by_name_.emplace(gram.field.name, id);
      multi_field_names_.emplace(gram.field.name, id);
      out_.fields_[id] = std::move(gram.field);
      out_.fields_[with].multi_fields.push_back(id);
      out_.own_analyzers_.push_back(std::move(gram.analyzer));
      out_.own_analyzers_.push_back(std::move(gram.search_analyzer));
    }
  }

  /// Adds a vector field for `of` that is not in the definition.
  uint32_t place_companion(const Field& of, std::string name, bool several) {
    Field field;
    field.id = id_of(name);
    field.name = std::move(name);
    field.type = FieldType::kDenseVector;
    field.indexed = false;
    field.doc_values = false;
    field.vector = of.vector;
    field.inferred = true;
    field.companion = true;
    field.several_vectors = several;
    const uint32_t id = field.id;
    out_.fields_[id] = std::move(field);
    return id;
  }

  /// The passages field cannot be referenced by name, so it is not in the table of names.
  Status add_companions(const Semantic& semantic) {
    const Field field = out_.fields_[semantic.field];
    const std::string name = field.name + std::string(kCompanionSuffix);
    if (out_.by_name_.contains(name) || out_.object_names_.contains(name)) {
      return name_is_taken(name, field.name);
    }
    const uint32_t vector = place_companion(field, name, false);
    const uint32_t passages = place_companion(field, name + ".passages", true);
    out_.fields_[field.id].semantic->vector = vector;
    out_.fields_[field.id].semantic->passages = passages;
    out_.semantic_fields_.push_back(field.id);
    out_.by_name_.emplace(name, vector);
    if (semantic.name.empty()) return {};
    out_.objects_[semantic.parent].children.emplace(
        semantic.name + std::string(kCompanionSuffix),
        ObjectNode::Child{ObjectNode::Kind::kCompanion, field.id});
    return {};
  }

  static Status name_is_taken(const std::string& name, const std::string& of) {
    return mapper_parsing("field [" + name + "] cannot be mapped: it keeps the vectors of the " +
                          "[semantic_text] field [" + of + "], give one of them another name");
  }

  Status add_alias(const Mapper& mapper, uint32_t parent, const std::string& name) {
    const std::string full = join_path(out_.objects_[parent].path, name);
    if (out_.by_name_.contains(full)) {
      return name_is_taken(full, full.substr(0, full.size() - kCompanionSuffix.size()));
    }
    const std::string start =
        "Invalid [path] value [" + mapper.path + "] for field alias [" + full + "]: an alias ";
    if (mapper.path == full) return mapper_parsing(start + "cannot refer to itself.");
    for (const auto& [alias, target_parent, alias_name] : alias_mappers_) {
      if (join_path(out_.objects_[target_parent].path, alias_name) == mapper.path) {
        return mapper_parsing(start + "cannot refer to another alias.");
      }
    }
    const auto target = out_.by_name_.find(mapper.path);
    if (target == out_.by_name_.end())
      return mapper_parsing(start + "must refer to an existing field in the mappings.");
    QUARRY_RETURN_IF_ERROR(
        same_level(out_.objects_[parent].level, out_.fields_[target->second].level, start));
    out_.objects_[parent].children.emplace(
        name, ObjectNode::Child{ObjectNode::Kind::kAlias, target->second});
    alias_ids_.emplace(full, target->second);
    out_.aliases_.emplace(full, mapper.path);
    return {};
  }

  Status same_level(uint32_t alias, uint32_t target, const std::string& start) const {
    if (alias == target) return {};
    const auto scope = [this](uint32_t level, const std::string& whose) {
      if (level == 0) return whose + " is not nested";
      return whose + "'s nested scope is [" + out_.nested_objects_[level - 1].path + "]";
    };
    return mapper_parsing(start + "must have the same nested scope as its target. " +
                          scope(alias, "The alias") + ", but " + scope(target, "the target") + ".");
  }

  /// Documents of `from` may copy to those of `to`, which then enclose them.
  Status check_copy(const Field& from, const Field& to) const {
    uint32_t level = from.level;
    while (level != to.level && level != 0) level = out_.nested_objects_[level - 1].outer;
    if (level == to.level) return {};
    const auto path = [this](uint32_t of) {
      return of == 0 ? std::string("null") : out_.nested_objects_[of - 1].path;
    };
    return illegal_argument(
        "Illegal combination of [copy_to] and [nested] mappings: [copy_to] may only copy data to "
        "the current nested document or any of its parents, however one [copy_to] directive is "
        "trying to copy data from nested object [" +
        path(from.level) + "] to [" + path(to.level) + "]");
  }

  Status link_copies(uint32_t id, const Mapper& mapper) {
    for (const std::string& target : mapper.copy_to) {
      if (multi_field_names_.contains(target)) {
        return {ErrorType::kIllegalArgument,
                "[copy_to] may not be used to copy to a multi-field: [" + target + "]"};
      }
      if (out_.object_names_.contains(target)) {
        return {ErrorType::kIllegalArgument,
                "Cannot copy to field [" + target + "] since it is mapped as an object"};
      }
      if (out_.aliases_.contains(target)) {
        return {ErrorType::kIllegalArgument, "Cannot write to a field alias [" + target + "]."};
      }
      const auto found = out_.by_name_.find(target);
      if (found != out_.by_name_.end() && out_.fields_[found->second].companion) {
        return {ErrorType::kIllegalArgument,
                "Cannot copy to field [" + target + "]: its vectors are made from text, copy to [" +
                    target.substr(0, target.size() - kCompanionSuffix.size()) + "]"};
      }
      if (found == out_.by_name_.end()) {
        out_.unmapped_copies_[id].push_back(target);
      } else {
        QUARRY_RETURN_IF_ERROR(check_copy(out_.fields_[id], out_.fields_[found->second]));
        out_.fields_[id].copy_to.push_back(found->second);
      }
    }
    return {};
  }

  Status set_detection() {
    for (const auto& [name, id] : alias_ids_) out_.by_name_.emplace(name, id);
    for (const auto& [name, id] : out_.by_name_) {
      out_.longest_name_ = std::max(out_.longest_name_, name.size());
    }
    if (!out_.root_.date_detection.value_or(true)) return {};
    std::vector<std::string> formats(std::begin(kDetectedFormats), std::end(kDetectedFormats));
    if (out_.root_.date_formats) formats = *out_.root_.date_formats;
    for (const std::string& format : formats) {
      QUARRY_ASSIGN_OR_RETURN(auto compiled, DateFormats::compile(format));
      out_.detected_formats_.push_back(std::move(compiled));
    }
    return {};
  }

  CompiledMapping& out_;
  NameMap<uint32_t> old_ids_;
  std::vector<Pending> fields_;
  std::vector<Pending> alias_mappers_;
  std::vector<Semantic> semantic_;
  std::vector<std::pair<uint32_t, const Mapper*>> copies_;
  NameMap<uint32_t> multi_field_names_;
  NameMap<uint32_t> alias_ids_;
};

Result<std::shared_ptr<const Mapping>> CompiledMapping::compile(RootMapper root,
                                                                MappingContext context,
                                                                const CompiledMapping* previous) {
  auto mapping = std::make_shared<CompiledMapping>();
  mapping->root_ = std::move(root);
  if (!mapping->keeps_whole_source()) {
    const SourceOptions& source = *mapping->root_.source;
    QUARRY_ASSIGN_OR_RETURN(mapping->source_filter_,
                            SourceFilter::compile(source.includes, source.excludes));
  }
  settle_semantic(mapping->root_.object);
  mapping->context_ = std::move(context);
  QUARRY_RETURN_IF_ERROR(MappingCompiler(*mapping, previous).compile());
  mapping->json_ = mapping_to_json(mapping->root_);
  if (previous != nullptr) {
    const bool same = mapping->json_ == previous->json_ &&
                      mapping->context_.analysis == previous->context_.analysis;
    mapping->version_ = previous->version_ + (same ? 0 : 1);
  }
  return std::shared_ptr<const Mapping>(std::move(mapping));
}

Result<std::shared_ptr<const Mapping>> Mapping::create(std::string_view json,
                                                       MappingContext context) {
  if (is_below_type(json)) {
    return illegal_argument(
        "The mapping definition cannot be nested under a type [_doc] unless include_type_name is "
        "set "
        "to true.");
  }
  QUARRY_ASSIGN_OR_RETURN(RootMapper root, read_mapping(json, context, nullptr));
  return CompiledMapping::compile(std::move(root), std::move(context), nullptr);
}

Result<std::shared_ptr<const Mapping>> CompiledMapping::merge(std::string_view json) const {
  if (is_typed_mapping(json)) {
    return illegal_argument(
        "Types cannot be provided in put mapping requests, unless the include_type_name parameter "
        "is "
        "set to true.");
  }
  QUARRY_ASSIGN_OR_RETURN(const RootMapper update, read_mapping(json, context_, &root_));
  RootMapper merged = root_.clone();
  QUARRY_RETURN_IF_ERROR(merge_mapping(merged, update));
  return compile(std::move(merged), context_, this);
}

Result<std::shared_ptr<const Mapping>> CompiledMapping::with_context(MappingContext context) const {
  return compile(root_.clone(), std::move(context), this);
}

const Field* CompiledMapping::find(std::string_view name) const {
  const auto found = by_name_.find(name);
  if (found != by_name_.end()) return &fields_[found->second];
  // In "flat.key" a prefix that ends at a dot is a flattened field; in an object without subobjects
  // a shorter prefix may be another field. No prefix longer than the longest field name is looked
  // up: names in queries are arbitrary and may consist of dots.
  for (size_t dot = name.find('.'); dot <= longest_name_; dot = name.find('.', dot + 1)) {
    const auto root = by_name_.find(name.substr(0, dot));
    if (root == by_name_.end()) continue;
    if (fields_[root->second].type != FieldType::kFlattened) continue;
    return &fields_[keyed_field(root->second)];
  }
  return nullptr;
}

std::string_view CompiledMapping::flattened_key(std::string_view name) const {
  if (by_name_.contains(name)) return {};
  for (size_t dot = name.find('.'); dot <= longest_name_; dot = name.find('.', dot + 1)) {
    const auto root = by_name_.find(name.substr(0, dot));
    if (root == by_name_.end()) continue;
    if (fields_[root->second].type == FieldType::kFlattened) return name.substr(dot + 1);
  }
  return {};
}

std::vector<const Field*> CompiledMapping::match(std::string_view pattern) const {
  std::vector<const Field*> found;
  // An alias and its target are the same field.
  std::unordered_set<const Field*> known;
  for (const auto& [name, field] : match_names(pattern)) {
    if (known.insert(field).second) found.push_back(field);
  }
  return found;
}

std::vector<std::pair<std::string_view, const Field*>> CompiledMapping::match_names(
    std::string_view pattern) const {
  std::vector<std::pair<std::string_view, const Field*>> found;
  if (pattern.find('*') == std::string_view::npos) {
    if (const Field* field = find(pattern)) found.emplace_back(pattern, field);
    return found;
  }
  for (const auto& [name, id] : by_name_) {
    if (!fields_[id].companion && simple_match(pattern, name))
      found.emplace_back(name, &fields_[id]);
  }
  std::sort(found.begin(), found.end());
  return found;
}

bool CompiledMapping::is_object(std::string_view name) const {
  return object_names_.contains(name) || flat_objects_.contains(name);
}

uint32_t CompiledMapping::nested_level(std::string_view path) const {
  const auto found = object_names_.find(path);
  if (found == object_names_.end() || !objects_[found->second].nested) return 0;
  return objects_[found->second].level;
}

std::string_view CompiledMapping::alias_target(std::string_view name) const {
  const auto found = aliases_.find(name);
  return found == aliases_.end() ? std::string_view() : std::string_view(found->second);
}

const std::vector<std::string>& CompiledMapping::unmapped_copies(uint32_t field) const {
  static const std::vector<std::string> kNone;
  const auto found = unmapped_copies_.find(field);
  return found == unmapped_copies_.end() ? kNone : found->second;
}

std::string CompiledMapping::definition(std::string_view name, bool include_defaults) const {
  if (!split_field_name(name).ok()) return {};
  const Mapper* mapper = find_mapper(root_.object, name);
  return mapper == nullptr ? std::string() : mapper_to_json(*mapper, include_defaults).to_json();
}

}  // namespace quarry
