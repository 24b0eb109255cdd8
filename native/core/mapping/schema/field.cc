// Properties of fields that follow from the table of types.
#include "mapping/schema/field.h"

#include <array>

namespace quarry {

namespace {

enum class ColumnKind : uint8_t { none, number, ordinal };
enum class InvertedKind : uint8_t { none, terms, text };

struct TypeRow {
  std::string_view name;
  ColumnKind column;
  InvertedKind inverted;
};

constexpr TypeRow kTypes[] = {
#define FIELD_TYPE(id, name, column, inverted) {name, ColumnKind::column, InvertedKind::inverted},
#include "mapping/schema/types.def"
#undef FIELD_TYPE
};

const TypeRow& row_of(FieldType type) { return kTypes[static_cast<size_t>(type)]; }

}  // namespace

std::string_view field_type_name(FieldType type) { return row_of(type).name; }

bool Field::is_text() const { return row_of(type).inverted == InvertedKind::text; }
bool Field::has_column() const { return doc_values && row_of(type).column != ColumnKind::none; }
bool Field::has_ordinals() const { return row_of(type).column == ColumnKind::ordinal; }
bool Field::is_numeric() const { return row_of(type).column == ColumnKind::number; }
bool Field::presence_only() const {
  return type == FieldType::kBinary || type == FieldType::kGeoPoint;
}
bool Field::is_opaque() const {
  return presence_only() || type == FieldType::kDenseVector || type == FieldType::kCompletion;
}

bool Field::is_date() const { return type == FieldType::kDate || type == FieldType::kDateNanos; }
bool Field::is_range() const {
  return type >= FieldType::kIntegerRange && type <= FieldType::kIpRange;
}
bool Field::is_keyword() const {
  return type == FieldType::kKeyword || type == FieldType::kConstantKeyword ||
         type == FieldType::kWildcard;
}

bool Field::is_terms() const { return row_of(type).inverted == InvertedKind::terms; }

}  // namespace quarry
