// Parses value types.
#include "query/aggs/frame/value_type.h"

#include <string>

#include "mapping/values/numeric.h"

namespace quarry {
namespace {

/// Prefix of a value type that does not constrain mapped fields.
constexpr char kOnlyUnmapped = '?';

bool is_number_type(std::string_view type) {
  return type == "long" || type == "integer" || type == "short" || type == "byte" ||
         type == "double" || type == "float" || type == "number" || type == "numeric";
}

/// The type that `value_type` names, else that of `missing`.
FieldType assumed_type(const AggSource& source) {
  std::string_view type = source.value_type;
  if (type.starts_with(kOnlyUnmapped)) type.remove_prefix(1);
  if (type == "long" || type == "integer" || type == "short" || type == "byte")
    return FieldType::kLong;
  if (type == "double" || type == "float" || type == "number" || type == "numeric")
    return FieldType::kDouble;
  if (type == "date") return FieldType::kDate;
  if (type == "boolean") return FieldType::kBoolean;
  if (type == "ip") return FieldType::kIp;
  if (!type.empty()) return FieldType::kKeyword;
  if (source.missing.kind == Scalar::Kind::kBool) return FieldType::kBoolean;
  if (source.missing.kind != Scalar::Kind::kNumber) return FieldType::kKeyword;
  return source.missing.text.find_first_of(".eE") == std::string::npos ? FieldType::kLong
                                                                       : FieldType::kDouble;
}

std::shared_ptr<const Field> make_field_of(const std::string& name, FieldType type) {
  auto field = std::make_shared<Field>();
  field->id = UINT32_MAX;
  field->name = name;
  field->type = type;
  return field;
}

}  // namespace

ValueKind value_kind_of(const Field& field) {
  if (field.has_ordinals())
    return field.traits().codec != nullptr ? ValueKind::kEncoded : ValueKind::kString;
  if (!field.is_numeric()) return ValueKind::kUnmapped;
  switch (number_kind(field)) {
    case NumberKind::kDouble:
      return ValueKind::kDouble;
    case NumberKind::kUnsigned:
      return ValueKind::kUnsigned;
    case NumberKind::kBoolean:
      return ValueKind::kBoolean;
    case NumberKind::kDate:
      return ValueKind::kDate;
    default:
      return ValueKind::kLong;
  }
}

Status check_value_type(const Field& field, ValueKind kind, std::string_view type) {
  if (type.empty() || type.front() == kOnlyUnmapped || field.is_range()) return {};
  bool fits = false;
  switch (kind) {
    case ValueKind::kLong:
    case ValueKind::kDouble:
    case ValueKind::kUnsigned:
      fits = is_number_type(type);
      break;
    case ValueKind::kBoolean:
      fits = type == "boolean";
      break;
    case ValueKind::kDate:
      fits = type == "date";
      break;
    case ValueKind::kEncoded:
      fits = type == (field.traits().query == QueryKind::kAddresses ? "ip" : "string");
      break;
    default:
      fits = type == "string";
  }
  if (fits) return {};
  return {ErrorType::kIllegalArgument, "Field type [" + std::string(field_type_name(field.type)) +
                                           "] is incompatible with specified value_type [" +
                                           std::string(type) + "]"};
}

std::shared_ptr<const Field> make_stand_in(const AggSource& source, bool numbers) {
  FieldType type = assumed_type(source);
  if (numbers && field_traits(type).column == ColumnKind::kOrdinal) type = FieldType::kDouble;
  return make_field_of(source.field, type);
}

std::shared_ptr<const Field> make_string_field(const std::string& name) {
  return make_field_of(name, FieldType::kKeyword);
}

}  // namespace quarry
