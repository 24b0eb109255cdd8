// Finds the values of a field in a document by the path of the field. Keys of objects may contain
// dots.
#pragma once

#include <functional>
#include <string_view>

#include "json/value.h"

namespace quarry {

/// Calls visit(object) for the objects at `path` inside `value`, in the order in which documents
/// are parsed, until it returns false.
void each_object_at(const JsonValue& value, std::string_view path,
                    const std::function<bool(const JsonValue&)>& visit);

/// Calls `take` with every value at `path`. Arrays on the way are opened, those that are values are
/// not.
template <typename Take>
void each_value_at(const JsonValue& value, std::string_view path, Take& take) {
  if (path.empty()) {
    take(value);
    return;
  }
  if (value.is_array()) {
    for (const JsonValue& item : value.items()) each_value_at(item, path, take);
    return;
  }
  if (!value.is_object()) return;
  for (const auto& [key, member] : value.members()) {
    if (path == key) {
      each_value_at(member, {}, take);
    } else if (path.size() > key.size() && path.starts_with(key) && path[key.size()] == '.') {
      each_value_at(member, path.substr(key.size() + 1), take);
    }
  }
}

}  // namespace quarry
