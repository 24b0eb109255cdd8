// What number types share: exact decimals of a text, ranges of the integer types, and 16-bit
// floats.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "mapping/schema/field.h"

namespace quarry {

/// A decimal spelling as sign, whole part and whether anything follows it. Exact for plain digits;
/// spellings with an exponent go through double.
struct Decimal {
  bool negative = false;
  uint64_t whole = 0;
  bool huge = false;      // the whole part is beyond 64 bits
  bool fraction = false;  // some digit behind the point is not 0

  bool is_zero() const { return whole == 0 && !huge; }
};
/// Nothing for text that is no finite number.
std::optional<Decimal> parse_decimal(std::string_view text) noexcept;

/// A number of a string without the white space around it, which Java's Double.parseDouble skips. long
/// and unsigned_long are not read through doubles: theirs is part of the spelling.
std::string_view number_spelling(FieldType type, std::string_view text) noexcept;

/// The signed integer types.
struct IntegerType {
  int64_t min;
  int64_t max;
  std::string_view article;  // "a long"
  std::string_view java;     // "long": Elasticsearch's word for a JSON number beyond the range
  std::string_view box;      // "Long"
};
/// Null for other types.
const IntegerType* integer_type(FieldType type) noexcept;

/// The nearest 16-bit float, ties to even; infinite from 65520 on.
float round_to_half(float value) noexcept;
/// The 16-bit floats next to one.
float next_half_up(float half) noexcept;
float next_half_down(float half) noexcept;

}  // namespace quarry
