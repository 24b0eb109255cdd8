// Shared by number types: exact decimals, the ranges of the integer types, and 16-bit floats.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "mapping/schema/field.h"

namespace quarry {

/// A decimal number as its sign, its whole part and whether it has a fraction. Exact for plain
/// digits; a spelling with an exponent is converted through double.
struct Decimal {
  bool negative = false;
  uint64_t whole = 0;
  bool huge = false;      // the whole part exceeds 64 bits
  bool fraction = false;  // some digit after the point is not 0

  bool is_zero() const { return whole == 0 && !huge; }
};
/// Empty when `text` is not a finite number.
std::optional<Decimal> parse_decimal(std::string_view text) noexcept;

/// The number in a string without the surrounding white space, which Java's Double.parseDouble
/// skips.
std::string_view trimmed_number(std::string_view text) noexcept;
/// The same for a value of the field. Types that are not parsed as doubles (long, unsigned_long)
/// keep the white space.
inline std::string_view number_spelling(const Field& field, std::string_view text) noexcept {
  return field.traits().exact_spelling ? text : trimmed_number(text);
}

/// The signed integer types.
struct IntegerType {
  int64_t min;
  int64_t max;
  std::string_view article;  // "a long"
  std::string_view java;     // "long": Elasticsearch's word for a JSON number beyond the range
  std::string_view box;      // "Long"
};
inline constexpr IntegerType kLongValues{INT64_MIN, INT64_MAX, "a long", "long", "Long"};
inline constexpr IntegerType kIntegerValues{INT32_MIN, INT32_MAX, "an integer", "int", "Integer"};
inline constexpr IntegerType kShortValues{INT16_MIN, INT16_MAX, "a short", "short", "Short"};
inline constexpr IntegerType kByteValues{INT8_MIN, INT8_MAX, "a byte", "byte", "Byte"};

/// The nearest 16-bit float, ties to even; infinite for 65520 and above.
float round_to_half(float value) noexcept;
/// The next 16-bit float above or below `half`.
float next_half_up(float half) noexcept;
float next_half_down(float half) noexcept;

}  // namespace quarry
