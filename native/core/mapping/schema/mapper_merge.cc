// Joins an update into a mapping (declared in mapping/document/mapper.h). A field in the update
// replaces the field as a whole, so a parameter that the update leaves out returns to its default.
#include <algorithm>
#include <optional>
#include <span>
#include <utility>

#include "mapping/document/mapper.h"
#include "mapping/schema/parameters.h"
#include "mapping/schema/semantic_parameters.h"
#include "mapping/schema/vector_parameters.h"

namespace quarry {

namespace {

std::string shown_setting(const JsonValue& value) {
  return value.is_object() || value.is_array() ? value.to_json() : std::string(value.text());
}

Status merge_properties(Mapper& target, const Mapper& update, const std::string& path);

/// Norms may be disabled, but not enabled again.
bool may_change(const Parameter& parameter, const JsonValue& from, const JsonValue& to) {
  // The value of a constant_keyword may be set later, and an update without it keeps it.
  if (parameter.name == "value") return from.is_null() || to.is_null();
  return parameter.updateable || (parameter.name == "norms" && to.text() == "false");
}

/// Parameters that an update keeps when it leaves them out: those set by the first vector, and
/// those that determine which index structure is built.
std::span<const std::string_view> kept_parameters(FieldType type) {
  static constexpr std::string_view kVector[] = {"dims", "index_options", "quantization"};
  if (type == FieldType::kDenseVector) return kVector;
  static constexpr std::string_view kConstant[] = {"value"};
  if (type == FieldType::kSemanticText) return kSemanticIdentity;
  if (type == FieldType::kConstantKeyword) return kConstant;
  return {};
}

std::string parameter_conflicts(const Mapper& target, const Mapper& update) {
  const std::span<const std::string_view> apart = target.type == FieldType::kSemanticText
                                                      ? kept_parameters(target.type)
                                                      : std::span<const std::string_view>();
  std::string conflicts;
  const auto shingle_size = [](const Mapper& mapper) {
    const JsonValue* given = mapper.given("max_shingle_size");
    return given == nullptr ? std::string("3") : shown_setting(*given);
  };
  if (shingle_size(target) != shingle_size(update)) {
    conflicts += "\n\tCannot update parameter [max_shingle_size] from [" + shingle_size(target) +
                 "] to [" + shingle_size(update) + "]";
  }
  for (const Parameter& parameter : parameters_of(target.type).parameters) {
    if (std::find(apart.begin(), apart.end(), parameter.name) != apart.end()) continue;
    const JsonValue from = target.effective(parameter.name);
    const JsonValue to = update.effective(parameter.name);
    if (from == to || may_change(parameter, from, to)) continue;
    conflicts += "\n\tCannot update parameter [" + std::string(parameter.name) + "] from [" +
                 shown_setting(from) + "] to [" + shown_setting(to) + "]";
  }
  return conflicts;
}

std::string conflicts_between(const Mapper& target, const Mapper& update) {
  if (target.type == FieldType::kDenseVector) return vector_conflicts(target, update);
  const std::string conflicts = parameter_conflicts(target, update);
  return target.type == FieldType::kSemanticText ? conflicts + semantic_conflicts(target, update)
                                                 : conflicts;
}

Status merge_mapper(Mapper& target, const Mapper& update, const std::string& path) {
  if (update.is_object() || target.type_name() != update.type_name()) {
    return illegal_argument("mapper [" + path + "] cannot be changed from type [" +
                            std::string(target.type_name()) + "] to [" +
                            (update.is_nested()   ? "NestedObjectMapper"
                             : update.is_object() ? "ObjectMapper"
                                                  : std::string(update.type_name())) +
                            "]");
  }
  const std::string conflicts = conflicts_between(target, update);
  if (!conflicts.empty()) {
    return illegal_argument("Mapper for [" + path +
                            "] conflicts with existing mapper:" + conflicts);
  }
  std::map<std::string, JsonValue, std::less<>> before = std::move(target.parameters);
  target.parameters = update.parameters;
  for (const std::string_view kept : kept_parameters(target.type)) {
    const auto old = before.find(kept);
    if (old != before.end()) target.parameters.insert(*old);
  }
  target.copy_to = update.copy_to;
  target.path = update.path;
  target.source_keep = update.source_keep;
  for (const auto& [name, field] : update.fields) {
    const auto existing = target.fields.find(name);
    if (existing == target.fields.end()) {
      target.fields.emplace(name, field->clone());
    } else {
      QUARRY_RETURN_IF_ERROR(merge_mapper(*existing->second, *field, path + "." + name));
    }
  }
  return {};
}

/// Values of earlier documents were not copied, or were.
Status same_include(const std::string& name, std::optional<bool> before, std::optional<bool> after,
                    const std::string& path) {
  if (before.value_or(false) == after.value_or(false)) return {};
  return {ErrorType::kMapperParsing, "the [" + name +
                                         "] parameter can't be updated on a nested object mapping: "
                                         "[" +
                                         path + "]"};
}

Status compare_subobjects(const Mapper& target, const Mapper& update, const std::string& path) {
  if (!update.subobjects || *update.subobjects == !target.is_flat()) return {};
  return {ErrorType::kMapperParsing,
          "the [subobjects] parameter can't be updated for the object mapping [" + path + "]"};
}

Status merge_object(Mapper& target, const Mapper& update, const std::string& path) {
  if (!update.is_object()) {
    return illegal_argument("can't merge a non object mapping [" + path +
                            "] with an object mapping");
  }
  if (update.is_nested() != target.is_nested()) {
    return illegal_argument("can't merge a non-nested mapping [" + path +
                            "] with a nested mapping");
  }
  QUARRY_RETURN_IF_ERROR(
      same_include("include_in_parent", target.include_in_parent, update.include_in_parent, path));
  QUARRY_RETURN_IF_ERROR(
      same_include("include_in_root", target.include_in_root, update.include_in_root, path));
  if (update.enabled && *update.enabled != target.enabled.value_or(true)) {
    return {ErrorType::kMapperParsing,
            "the [enabled] parameter can't be updated for the object mapping [" + path + "]"};
  }
  QUARRY_RETURN_IF_ERROR(compare_subobjects(target, update, path));
  if (update.dynamic) target.dynamic = update.dynamic;
  if (!update.source_keep.empty()) target.source_keep = update.source_keep;
  return merge_properties(target, update, path);
}

Status merge_properties(Mapper& target, const Mapper& update, const std::string& path) {
  for (const auto& [name, property] : update.properties) {
    const auto existing = target.properties.find(name);
    if (existing == target.properties.end()) {
      target.properties.emplace(name, property->clone());
      continue;
    }
    const std::string below = path.empty() ? name : path + "." + name;
    Mapper& old = *existing->second;
    QUARRY_RETURN_IF_ERROR(old.is_object() ? merge_object(old, *property, below)
                                           : merge_mapper(old, *property, below));
  }
  return {};
}

/// The options of `_source` are fixed when the index is created.
Status compare_sources(const SourceOptions& from, const SourceOptions& to) {
  const std::string start =
      "Mapper for [_source] conflicts with existing mapper:\n\tCannot update parameter ";
  if (from.enabled != to.enabled) {
    return illegal_argument(start + (from.enabled ? "[enabled] from [true] to [false]"
                                                  : "[enabled] from [false] to [true]"));
  }
  if (from.includes != to.includes) return illegal_argument(start + "[includes]");
  return from.excludes == to.excludes ? Status() : illegal_argument(start + "[excludes]");
}

}  // namespace

Status merge_mapping(RootMapper& target, const RootMapper& update) {
  if (update.routing_required &&
      *update.routing_required != target.routing_required.value_or(false)) {
    return illegal_argument(
        "Mapper for [_routing] conflicts with existing mapper:\n\tCannot update parameter "
        "[required] from [" +
        std::string(*update.routing_required ? "false] to [true]" : "true] to [false]"));
  }
  if (update.source) {
    QUARRY_RETURN_IF_ERROR(
        compare_sources(target.source.value_or(SourceOptions()), *update.source));
  }
  if (update.object.enabled && *update.object.enabled != target.object.enabled.value_or(true)) {
    return {ErrorType::kMapperParsing,
            "the [enabled] parameter can't be updated for the object mapping [_doc]"};
  }
  QUARRY_RETURN_IF_ERROR(compare_subobjects(target.object, update.object, "_doc"));
  if (!update.object.source_keep.empty()) target.object.source_keep = update.object.source_keep;
  QUARRY_RETURN_IF_ERROR(merge_properties(target.object, update.object, ""));
  if (update.object.dynamic) target.object.dynamic = update.object.dynamic;
  if (update.meta) target.meta = update.meta;
  if (update.date_formats) target.date_formats = update.date_formats;
  if (update.date_detection) target.date_detection = update.date_detection;
  if (update.numeric_detection) target.numeric_detection = update.numeric_detection;
  if (update.templates) target.templates = update.templates;
  return {};
}

}  // namespace quarry
