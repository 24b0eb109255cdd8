// Converts the shortest digits of std::to_chars to ECMAScript's form.
#include "json/ecma_number.h"

#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <string_view>

namespace quarry {
namespace {

/// The maximum size of a double in scientific form: "-1.2345678901234567e-308".
constexpr size_t kScientificBytes = 32;
/// Numbers outside this range of exponents are printed with an exponent.
constexpr int kLeastExponent = -6;
constexpr int kMostExponent = 21;

struct EcmaDigits {
  std::string_view digits;  // without a decimal point
  int exponent = 0;         // of the first digit
};

/// The digits of the shortest decimal that reads back as `size`, which is not negative. `buffer`
/// holds the digits.
template <typename T>
EcmaDigits to_decimal(T size, std::span<char, kScientificBytes> buffer) {
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), size,
                                 std::chars_format::scientific);
  const std::string_view text(buffer.data(), static_cast<size_t>(end.ptr - buffer.data()));
  const size_t mark = text.find('e');
  EcmaDigits out;
  // from_chars() does not accept a plus sign.
  const size_t sign = text[mark + 1] == '+' ? 1 : 0;
  std::from_chars(text.data() + mark + 1 + sign, text.data() + text.size(), out.exponent);
  if (mark > 1) buffer[1] = buffer[0];  // overwrites the point
  out.digits = mark > 1 ? text.substr(1, mark - 1) : text.substr(0, 1);
  return out;
}

void append_decimal(std::string& out, const EcmaDigits& decimal) {
  const auto& [digits, exponent] = decimal;
  const auto count = static_cast<int>(digits.size());
  if (exponent < kLeastExponent || exponent >= kMostExponent) {
    out += digits[0];
    if (count > 1) out.append(".").append(digits.substr(1));
    out.append(exponent < 0 ? "e" : "e+").append(std::to_string(exponent));
  } else if (exponent < 0) {
    out.append("0.").append(static_cast<size_t>(-exponent - 1), '0').append(digits);
  } else if (exponent + 1 >= count) {
    out.append(digits).append(static_cast<size_t>(exponent + 1 - count), '0');
  } else {
    const auto whole = static_cast<size_t>(exponent + 1);
    out.append(digits.substr(0, whole)).append(".").append(digits.substr(whole));
  }
}

template <typename T>
void append_number(std::string& out, T value) {
  // Every whole number below this limit is exactly representable, and all of its digits are needed.
  constexpr T kExact = T(uint64_t{1} << std::numeric_limits<T>::digits);
  const T size = std::fabs(value);
  if (std::signbit(value) && size != 0) out += '-';
  char buffer[kScientificBytes];
  if (size < kExact && std::trunc(size) == size) {
    const auto end = std::to_chars(buffer, buffer + sizeof(buffer), static_cast<uint64_t>(size));
    out.append(buffer, end.ptr);
    return;
  }
  append_decimal(out, to_decimal(size, std::span(buffer)));
}

}  // namespace

void append_ecma_number(std::string& out, double value) { append_number(out, value); }
void append_ecma_number(std::string& out, float value) { append_number(out, value); }

}  // namespace quarry
