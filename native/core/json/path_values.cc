#include "json/path_values.h"

#include <algorithm>

namespace quarry {
namespace {

bool continues(std::string_view name, std::string_view prefix) {
  return name.size() > prefix.size() && name.starts_with(prefix) && name[prefix.size()] == '.';
}

/// False once `visit` returned false.
bool visit_objects(const JsonValue& value, std::string_view path,
                   const std::function<bool(const JsonValue&)>& visit) {
  if (value.is_array()) {
    return std::all_of(value.items().begin(), value.items().end(),
                       [&](const JsonValue& item) { return visit_objects(item, path, visit); });
  }
  if (!value.is_object()) return true;
  if (path.empty()) return visit(value);
  for (const auto& [key, member] : value.members()) {
    bool goes_on = true;
    if (path == key) {
      goes_on = visit_objects(member, {}, visit);
    } else if (continues(path, key)) {
      goes_on = visit_objects(member, path.substr(key.size() + 1), visit);
    } else if (continues(key, path)) {
      // The name of a member leads into the object.
      goes_on = visit(JsonValue::object({{key.substr(path.size() + 1), member}}));
    }
    if (!goes_on) return false;
  }
  return true;
}

}  // namespace

void each_object_at(const JsonValue& value, std::string_view path,
                    const std::function<bool(const JsonValue&)>& visit) {
  visit_objects(value, path, visit);
}

}  // namespace quarry
