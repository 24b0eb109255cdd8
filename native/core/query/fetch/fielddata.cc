// Errors with Elasticsearch's messages.
#include "query/fetch/fielddata.h"

namespace quarry {

Status text_without_fielddata(const Compiler& compiler, const Field& field) {
  const std::string_view message = field.traits().no_fielddata;
  if (!message.empty()) return illegal_argument(field_message(message, field));
  return {ErrorType::kIllegalArgument,
          "Fielddata is disabled on [" + field.name + "] in [" +
              std::string(compiler.context().index_name) +
              "]. Text fields are not optimised for operations that require per-document field "
              "data like aggregations and sorting, so these operations are disabled by default. "
              "Please use a keyword field instead: this server loads no field data of text fields, "
              "also where they have fielddata=true."};
}

Status unsupported_fielddata(const Field& field) {
  const std::string_view message = field.traits().no_fielddata;
  if (!message.empty()) return illegal_argument(field_message(message, field));
  return {ErrorType::kIllegalArgument,
          "Can't load fielddata on [" + field.name +
              "] because fielddata is unsupported on fields of type [" +
              std::string(field_type_name(field.type)) + "]. Use doc values instead."};
}

}  // namespace quarry
