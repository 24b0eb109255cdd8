// Converts decimal spellings to doubles and back, in the forms of Java.
#include "json/number.h"

#include <charconv>
#include <cmath>
#include <limits>

namespace quarry {

namespace {

bool is_fraction(std::string_view text) {
  return text.find_first_of(".eE") != std::string_view::npos;
}

/// from_chars reports both overflow and underflow as out of range; the sign of the exponent
/// distinguishes them.
double out_of_range(std::string_view text) {
  const bool negative = text.starts_with('-');
  const size_t exponent = text.find_first_of("eE");
  bool tiny = false;
  if (exponent != std::string_view::npos) {
    tiny = text.substr(exponent + 1).starts_with('-');
  } else {
    tiny = text.substr(negative ? 1 : 0).starts_with("0") ||
           text.substr(negative ? 1 : 0).starts_with(".");
  }
  const double size = tiny ? 0.0 : std::numeric_limits<double>::infinity();
  return negative ? -size : size;
}

/// Formats the shortest digits like Java's Double.toString: plain between 1e-3 and 1e7, else
/// d.dddE±x.
template <typename T>
std::string java_form(T value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value < 0 ? "-Infinity" : "Infinity";
  if (value == 0) return std::signbit(value) ? "-0.0" : "0.0";
  char buffer[512];
  const T size = std::abs(value);
  const bool plain = size >= T(1e-3) && size < T(1e7);
  const auto format = plain ? std::chars_format::fixed : std::chars_format::scientific;
  const auto end = std::to_chars(buffer, buffer + sizeof(buffer), value, format).ptr;
  std::string text(buffer, end);
  if (plain) return text.find('.') == std::string::npos ? text + ".0" : text;
  const size_t exponent = text.find('e');
  std::string digits = text.substr(0, exponent);
  if (digits.find('.') == std::string::npos) digits += ".0";
  int power = 0;
  const char* from = text.data() + exponent + 1;
  if (*from == '+') ++from;
  std::from_chars(from, text.data() + text.size(), power);
  return digits + "E" + std::to_string(power);
}

}  // namespace

std::optional<double> parse_double(std::string_view text) noexcept {
  if (text.starts_with('+')) {
    text.remove_prefix(1);
    if (text.starts_with('-')) return std::nullopt;
  }
  const std::string_view size = text.starts_with('-') ? text.substr(1) : text;
  if (size == "NaN") return std::numeric_limits<double>::quiet_NaN();
  if (size == "Infinity") {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    return text.starts_with('-') ? -kInfinity : kInfinity;
  }
  // from_chars would also accept "inf" and "nan".
  if (size.empty() || !((size[0] >= '0' && size[0] <= '9') || size[0] == '.')) return std::nullopt;
  double value = 0;
  const char* end = text.data() + text.size();
  const auto [at, error] = std::from_chars(text.data(), end, value);
  if (at != end || error == std::errc::invalid_argument) return std::nullopt;
  return error == std::errc::result_out_of_range ? out_of_range(text) : value;
}

std::string format_double(double value) { return java_form(value); }
std::string format_float(float value) { return java_form(value); }

bool same_json_number(std::string_view a, std::string_view b) noexcept {
  if (is_fraction(a) != is_fraction(b)) return false;
  if (a == b) return true;
  // JSON integers have one spelling each, except zero, which may have a sign.
  if (!is_fraction(a)) return (a == "-0" || a == "0") && (b == "-0" || b == "0");
  return parse_double(a) == parse_double(b);
}

}  // namespace quarry
