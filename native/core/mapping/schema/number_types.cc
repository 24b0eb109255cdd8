// Parses exact decimals and rounds to 16-bit floats.
#include "mapping/schema/number_types.h"

#include <charconv>
#include <cmath>
#include <limits>

#include "json/number.h"

namespace quarry {

namespace {

bool all_digits(std::string_view text) {
  return text.find_first_not_of("0123456789") == std::string_view::npos;
}

std::optional<Decimal> from_double(std::string_view text) {
  const std::optional<double> value = parse_double(text);
  if (!value || std::isnan(*value)) return std::nullopt;
  const bool spelled_out = text.find_first_of("iN") != std::string_view::npos;
  if (std::isinf(*value) && spelled_out) return std::nullopt;
  Decimal decimal;
  decimal.negative = std::signbit(*value);
  const double size = std::abs(*value);
  decimal.huge = size >= 18446744073709551616.0;  // 2^64
  if (decimal.huge) return decimal;
  decimal.whole = static_cast<uint64_t>(size);
  decimal.fraction = static_cast<double>(decimal.whole) != size;
  return decimal;
}

}  // namespace

std::optional<Decimal> parse_decimal(std::string_view text) noexcept {
  std::string_view digits = text;
  Decimal decimal;
  decimal.negative = digits.starts_with('-');
  if (decimal.negative || digits.starts_with('+')) digits.remove_prefix(1);
  const size_t point = digits.find('.');
  const std::string_view whole = digits.substr(0, point);
  const std::string_view rest = point == std::string_view::npos ? "" : digits.substr(point + 1);
  if (!all_digits(whole) || !all_digits(rest)) return from_double(text);
  if (whole.empty() && rest.empty()) return std::nullopt;
  decimal.fraction = rest.find_first_not_of('0') != std::string_view::npos;
  if (whole.empty()) return decimal;
  const auto [at, error] =
      std::from_chars(whole.data(), whole.data() + whole.size(), decimal.whole);
  decimal.huge = error == std::errc::result_out_of_range;
  return decimal;
}

std::string_view trimmed_number(std::string_view text) noexcept {
  while (!text.empty() && static_cast<unsigned char>(text.front()) <= ' ') text.remove_prefix(1);
  while (!text.empty() && static_cast<unsigned char>(text.back()) <= ' ') text.remove_suffix(1);
  return text;
}

float round_to_half(float value) noexcept {
  if (!std::isfinite(value) || value == 0) return value;
  int exponent = 0;
  std::frexp(value, &exponent);
  // 11 significant bits; below 2^-14 the step stays 2^-24.
  const int step = std::max(exponent - 11, -24);
  const float rounded = std::ldexp(std::nearbyint(std::ldexp(value, -step)), step);
  return std::abs(rounded) > 65504.0F ? std::copysign(std::numeric_limits<float>::infinity(), value)
                                      : rounded;
}

float next_half_up(float half) noexcept {
  if (half < 0) return -next_half_down(-half);
  if (half >= 65504.0F) return std::numeric_limits<float>::infinity();
  int exponent = 0;
  std::frexp(half, &exponent);
  const int step = half == 0 ? -24 : std::max(exponent - 11, -24);
  return half + std::ldexp(1.0F, step);
}

float next_half_down(float half) noexcept {
  if (half <= 0) return -next_half_up(-half);
  if (std::isinf(half)) return 65504.0F;
  int exponent = 0;
  // A power of two uses the smaller step of the binade below it.
  const bool power = std::frexp(half, &exponent) == 0.5F;
  const int step = std::max(exponent - (power ? 12 : 11), -24);
  return half - std::ldexp(1.0F, step);
}

}  // namespace quarry
