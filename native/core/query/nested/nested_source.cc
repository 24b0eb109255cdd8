#include "query/nested/nested_source.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "json/path_values.h"

namespace quarry {
namespace {

/// Calls `take` with every part of the path.
template <typename Take>
void each_part(std::string_view path, Take take) {
  for (size_t dot = path.find('.'); dot != std::string_view::npos; dot = path.find('.')) {
    take(path.substr(0, dot));
    path.remove_prefix(dot + 1);
  }
  take(path);
}

}  // namespace

std::vector<NestedStep> nested_steps(const Mapping& mapping, const NestedDocs& nested,
                                     uint32_t doc) {
  std::vector<NestedStep> steps;
  uint32_t level = mapping.nested_level(nested.path_of(doc));
  while (level != 0) {
    const NestedObject& object = mapping.nested_objects()[level - 1];
    const std::string& outer_path =
        object.outer == 0 ? std::string() : mapping.nested_objects()[object.outer - 1].path;
    const Bitset* at = nested.at(object.path);
    const Bitset* outer = object.outer == 0 ? &nested.roots() : nested.at(outer_path);
    if (at == nullptr || outer == nullptr) return {};
    const uint32_t begin = std::max(nested.block_begin(doc), outer->after_previous(doc));
    const size_t skipped = outer_path.empty() ? 0 : outer_path.size() + 1;
    steps.push_back({object.path.substr(skipped), at->count(begin, doc)});
    doc = outer->next(doc);
    if (doc >= outer->size()) return {};
    level = object.outer;
  }
  std::reverse(steps.begin(), steps.end());
  return steps;
}

std::string nested_identity(const std::vector<NestedStep>& steps) {
  std::string out;
  for (const NestedStep& step : steps) {
    out += out.empty() ? "{\"field\":" : ",\"_nested\":{\"field\":";
    append_json_string(out, step.path);
    out += ",\"offset\":" + std::to_string(step.offset);
  }
  return out.append(steps.size(), '}');
}

std::optional<JsonValue> nested_object(const JsonValue& source,
                                       const std::vector<NestedStep>& steps) {
  std::optional<JsonValue> at = source;
  for (const NestedStep& step : steps) {
    std::optional<JsonValue> found;
    uint32_t left = step.offset;
    each_object_at(*at, step.path, [&](const JsonValue& object) {
      if (left-- > 0) return true;
      found = object;
      return false;
    });
    at = std::move(found);
    if (!at) return at;
  }
  return at;
}

JsonValue below_path(const std::vector<NestedStep>& steps, JsonValue object) {
  std::vector<std::string> parts;
  for (const NestedStep& step : steps) {
    each_part(step.path, [&parts](std::string_view part) { parts.emplace_back(part); });
  }
  for (size_t i = parts.size(); i-- > 0;) {
    object = JsonValue::object({{parts[i], std::move(object)}});
  }
  return object;
}

const JsonValue* at_path(const JsonValue& wrapped, const std::vector<NestedStep>& steps) {
  const JsonValue* at = &wrapped;
  for (const NestedStep& step : steps) {
    each_part(step.path, [&at](std::string_view part) {
      at = at == nullptr || !at->is_object() ? nullptr : at->find(part);
    });
  }
  return at;
}

}  // namespace quarry
