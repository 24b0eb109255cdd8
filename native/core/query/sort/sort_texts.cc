// Prints each kind of column: floating-point numbers keep a decimal point, infinities are strings.
#include "query/sort/sort_texts.h"

#include <cmath>
#include <cstdint>
#include <string_view>

#include "json/ecma_number.h"
#include "json/value.h"

namespace quarry {
namespace {

/// T is float or double.
template <typename T>
void append_fraction(std::string& out, T value) {
  if (std::isnan(value)) {
    out.append("\"NaN\"");
  } else if (std::isinf(value)) {
    out.append(value < 0 ? "\"-Infinity\"" : "\"Infinity\"");
  } else {
    const size_t begin = out.size();
    append_ecma_number(out, value);
    if (out.find_first_of(".e", begin) == std::string::npos) out.append(".0");
  }
}

void append_sort_value(std::string& out, const SortColumn& column, size_t hit) {
  if (column.nulls[hit] != 0) {
    out.append("null");
    return;
  }
  switch (column.kind) {
    case SortColumnKind::kInt:
    case SortColumnKind::kBoolean:
      out.append(std::to_string(column.ints[hit]));
      return;
    case SortColumnKind::kUnsigned:
      out.append(std::to_string(static_cast<uint64_t>(column.ints[hit])));
      return;
    case SortColumnKind::kDouble:
      append_fraction(out, column.doubles[hit]);
      return;
    case SortColumnKind::kScore:
      append_fraction(out, static_cast<float>(column.doubles[hit]));
      return;
    case SortColumnKind::kString:
      append_json_string(out, column.strings[hit]);
      return;
    case SortColumnKind::kFormatted:
      append_json_string(out, column.texts[hit]);
      return;
  }
}

}  // namespace

void append_sort_values(std::string& out, std::span<const SortColumn> keys, size_t hit) {
  out += '[';
  for (size_t i = 0; i < keys.size(); i++) {
    if (i > 0) out += ',';
    append_sort_value(out, keys[i], hit);
  }
  out += ']';
}

}  // namespace quarry
