// Copies the definition tree and reads parameters from it.
#include "mapping/document/mapper.h"

#include <algorithm>

#include "mapping/schema/as_you_type.h"
#include "mapping/schema/parameters.h"

namespace quarry {

namespace {

Mappers clone_all(const Mappers& mappers) {
  Mappers copies;
  for (const auto& [name, mapper] : mappers) copies.emplace(name, mapper->clone());
  return copies;
}

}  // namespace

std::unique_ptr<Mapper> Mapper::clone() const {
  auto copy = std::make_unique<Mapper>();
  copy->type = type;
  copy->as_you_type = as_you_type;
  copy->parameters = parameters;
  copy->fields = clone_all(fields);
  copy->copy_to = copy_to;
  copy->path = path;
  copy->dynamic = dynamic;
  copy->enabled = enabled;
  copy->include_in_parent = include_in_parent;
  copy->include_in_root = include_in_root;
  copy->subobjects = subobjects;
  copy->source_keep = source_keep;
  copy->properties = clone_all(properties);
  return copy;
}

std::string_view Mapper::type_name() const {
  return as_you_type ? kAsYouType : field_type_name(type);
}

size_t Mapper::count() const {
  size_t total = fields.size();
  for (const auto& [name, mapper] : properties) total += 1 + mapper->count();
  return total;
}

const JsonValue* Mapper::given(std::string_view name) const {
  const auto found = parameters.find(name);
  return found == parameters.end() ? nullptr : &found->second;
}

JsonValue Mapper::effective(std::string_view name) const {
  if (const JsonValue* value = given(name)) return *value;
  const Parameter* parameter = parameters_of(type).find(name);
  if (parameter == nullptr || parameter->fallback.empty()) return JsonValue::null();
  Result<JsonValue> fallback = JsonValue::parse(parameter->fallback);
  return fallback.ok() ? std::move(fallback).value() : JsonValue::null();
}

const Mapper* find_mapper(const Mapper& root, std::string_view path) {
  const Mapper* mapper = &root;
  while (!path.empty()) {
    const Mappers& children = mapper->is_object() ? mapper->properties : mapper->fields;
    // Names of properties have dots only in a flat object, where the longest one counts.
    size_t end = mapper->is_flat() ? path.size() : std::min(path.find('.'), path.size());
    auto child = children.find(path.substr(0, end));
    while (child == children.end() && mapper->is_flat() && end != std::string_view::npos) {
      end = path.substr(0, end).rfind('.');
      if (end != std::string_view::npos) child = children.find(path.substr(0, end));
    }
    if (child == children.end()) return nullptr;
    mapper = child->second.get();
    path.remove_prefix(std::min(end + 1, path.size()));
  }
  return mapper;
}

RootMapper RootMapper::clone() const {
  RootMapper copy;
  copy.object = std::move(*object.clone());
  copy.meta = meta;
  copy.routing_required = routing_required;
  copy.source = source;
  copy.date_formats = date_formats;
  copy.templates = templates;
  copy.date_detection = date_detection;
  copy.numeric_detection = numeric_detection;
  return copy;
}

}  // namespace quarry
