// Objects, objects that are documents of their own, and aliases, which are names of other fields.
// None of them is a field with values.
#include "mapping/schema/field_type.h"

namespace quarry {

constinit const FieldTraits kObjectType = {.name = "object"};
constinit const FieldTraits kNestedType = {.name = "nested"};
constinit const FieldTraits kAliasType = {.name = "alias"};

}  // namespace quarry
