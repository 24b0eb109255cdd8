// Objects, and aliases, which are names of other fields. Neither is a field with values.
#include "mapping/schema/field_type.h"

namespace quarry {

constinit const FieldTraits kObjectType = {.name = "object"};
constinit const FieldTraits kAliasType = {.name = "alias"};

}  // namespace quarry
