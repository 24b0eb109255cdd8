// Checks the keys against the fields of a mapping.
#include "mapping/schema/index_sort.h"

#include "mapping/schema/mapping.h"

namespace quarry {

namespace {

Status check_key(const Mapping& mapping, const IndexSortKey& key) {
  const Field* field = mapping.find(key.field);
  if (field == nullptr || field->inferred)
    return illegal_argument("unknown index sort field:[" + key.field + "]");
  if (field->name != key.field)
    return illegal_argument("Cannot use alias [" + key.field + "] as an index sort field");
  if (field->level > 0) {
    return illegal_argument("cannot apply index sort to field [" + key.field +
                            "] under nested object [" +
                            mapping.nested_objects()[field->level - 1].path + "]");
  }
  if (!field->doc_values)
    return illegal_argument("docvalues not found for index sort field:[" + key.field + "]");
  if (field->traits().index_sortable) return {};
  return illegal_argument("invalid index sort field:[" + key.field + "] of type [" +
                          std::string(field_type_name(field->type)) +
                          "], use a keyword, number, date, boolean, ip or flattened field");
}

}  // namespace

Status check_index_sort(const Mapping& mapping) {
  const MappingContext& context = mapping.context();
  QUARRY_RETURN_IF_ERROR(context.sort_settings);
  for (const IndexSortKey& key : context.sort) QUARRY_RETURN_IF_ERROR(check_key(mapping, key));
  return {};
}

}  // namespace quarry
