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

}  // namespace

ValueKind value_kind_of(const Field& field) {
  if (field.type == FieldType::kIp) return ValueKind::kIp;
  if (field.has_ordinals()) return ValueKind::kString;
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
    case ValueKind::kIp:
      fits = type == "ip";
      break;
    default:
      fits = type == "string";
  }
  if (fits) return {};
  return {ErrorType::kIllegalArgument, "Field type [" + std::string(field_type_name(field.type)) +
                                           "] is incompatible with specified value_type [" +
                                           std::string(type) + "]"};
}

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

}  // namespace quarry
