// Lookups in the table of field types by name.
#include "mapping/schema/field_type.h"

#include <algorithm>
#include <iterator>

#include "mapping/schema/field.h"

namespace quarry {

bool parse_field_type(std::string_view name, FieldType& type) {
  const auto named = [name](const FieldTraits* traits) {
    return traits->in_mappings && traits->name == name;
  };
  const auto found = std::find_if(std::begin(kFieldTraits), std::end(kFieldTraits), named);
  if (found == std::end(kFieldTraits)) return false;
  type = static_cast<FieldType>(std::distance(std::begin(kFieldTraits), found));
  return true;
}

bool is_unsupported_type(std::string_view name) {
  static constexpr std::string_view kNames[] = {
#define UNSUPPORTED_FIELD_TYPE(name) name,
#include "mapping/schema/types.def"
#undef UNSUPPORTED_FIELD_TYPE
  };
  return std::find(std::begin(kNames), std::end(kNames), name) != std::end(kNames);
}

std::string field_message(std::string_view pattern, const Field& field) {
  std::string out;
  for (const char c : pattern) {
    if (c == '$') {
      out += field.name;
    } else if (c == '%') {
      out += field.traits().name;
    } else {
      out += c;
    }
  }
  return out;
}

}  // namespace quarry
