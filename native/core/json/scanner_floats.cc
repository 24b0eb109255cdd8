// Reads arrays of numbers directly into float32 (declared in json/scanner.h): grammar and value in
// one pass, without a token per number.
//
// A decimal is read as an integer of up to 19 digits and a power of ten. The integer, the power
// (exact up to 10^22, but not its inverse) and the product are each rounded once to a double, so
// the result is off by at most three units in the last place. A float has 29 bits less: only a
// double that near to the middle between two floats may be rounded in the wrong direction, and
// takes the slow path (Clinger 1990, "How to read floating point numbers accurately"; the margin is
// not from that paper).
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>

#include "base/ascii.h"
#include "base/coding.h"
#include "json/scanner.h"

namespace quarry {

namespace {

constexpr std::array<double, 23> kPowers = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                            1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                            1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
constexpr std::array<double, 23> kInverses = {
    1e-0,  1e-1,  1e-2,  1e-3,  1e-4,  1e-5,  1e-6,  1e-7,  1e-8,  1e-9,  1e-10, 1e-11,
    1e-12, 1e-13, 1e-14, 1e-15, 1e-16, 1e-17, 1e-18, 1e-19, 1e-20, 1e-21, 1e-22};
constexpr int64_t kLargestPower = 22;
constexpr size_t kMostDigits = 19;  // always fit in 64 bits

/// A decimal while it is read: digits * 10^exponent.
struct ScannedDecimal {
  uint64_t digits = 0;
  int64_t exponent = 0;
  bool negative = false;
  bool exact = true;  // false: there were more digits than `digits` can hold
};

/// Sets the high bits of the bytes that are not digit values, correct up to the first of them.
/// `values` are bytes of text, each minus '0'.
uint64_t no_digits(uint64_t values) {
  return ((values + 0x7676767676767676) | values) & 0x8080808080808080;
}

/// Converts eight digit values, the first in the lowest byte, to a number: first pairs, then fours,
/// then all.
uint64_t number_of(uint64_t values) {
  values = values * 10 + (values >> 8);
  const uint64_t low = (values & 0x000000FF000000FF) * 0x000F424000000064;
  const uint64_t high = ((values >> 16) & 0x000000FF000000FF) * 0x0000271000000001;
  return (low + high) >> 32;
}

/// Reads digits from `at` on; returns the position after the last one.
const char* take_digits(const char* at, const char* end, uint64_t& value) {
  constexpr std::array<uint64_t, 8> kTens = {1, 10, 100, 1000, 10000, 100000, 1000000, 10000000};
  while (end - at >= 8) {
    const uint64_t values = load<uint64_t>(at) ^ 0x3030303030303030;
    const uint64_t others = no_digits(values);
    if (others == 0) {
      value = value * 100000000 + number_of(values);
      at += 8;
      continue;
    }
    const auto count = static_cast<size_t>(std::countr_zero(others)) / 8;
    // The digits are shifted so that zeros precede them; no shift is as wide as the word.
    value = value * kTens[count] + number_of(values << 8 << (8 * (7 - count)));
    return at + count;
  }
  while (at < end && is_digit(*at)) value = value * 10 + static_cast<uint64_t>(*at++ - '0');
  return at;
}

/// Reads the exponent after an e; null when it has no digit.
const char* take_exponent(const char* at, const char* end, int64_t& exponent) {
  bool negative = false;
  if (at < end && (*at == '+' || *at == '-')) negative = *at++ == '-';
  if (at == end || !is_digit(*at)) return nullptr;
  int64_t value = 0;
  for (; at < end && is_digit(*at); ++at) {
    if (value < 100000) value = value * 10 + (*at - '0');  // already far beyond the range of float
  }
  exponent += negative ? -value : value;
  return at;
}

/// Reads a number by JSON's grammar; returns the position after it, or null when there is none.
const char* take_number(const char* at, const char* end, ScannedDecimal& out) {
  if (at < end && *at == '-') {
    out.negative = true;
    ++at;
  }
  const char* first = at;
  at = take_digits(at, end, out.digits);
  if (at == first || (*first == '0' && at - first > 1)) return nullptr;
  size_t length = static_cast<size_t>(at - first);
  if (at < end && *at == '.') {
    const char* fraction = ++at;
    at = take_digits(at, end, out.digits);
    if (at == fraction) return nullptr;
    length += static_cast<size_t>(at - fraction);
    out.exponent = fraction - at;
  }
  if (length > kMostDigits) {
    // Leading zeros, as in 0.000123, do not count as digits of the integer.
    const char* lead = first;
    while (lead < at && (*lead == '0' || *lead == '.')) {
      if (*lead++ == '0') --length;
    }
    out.exact = length <= kMostDigits;
  }
  if (at < end && (*at == 'e' || *at == 'E')) at = take_exponent(at + 1, end, out.exponent);
  return at;
}

/// Empty when the product may be too near to the middle between two floats.
std::optional<float> quick_float(const ScannedDecimal& decimal) {
  if (!decimal.exact || decimal.exponent > kLargestPower || decimal.exponent < -kLargestPower) {
    return std::nullopt;
  }
  if (decimal.digits == 0) return decimal.negative ? -0.0F : 0.0F;
  const auto digits = static_cast<double>(decimal.digits);
  const double value = decimal.exponent < 0
                           ? digits * kInverses[static_cast<size_t>(-decimal.exponent)]
                           : digits * kPowers[static_cast<size_t>(decimal.exponent)];
  constexpr uint64_t kBelowFloat = (uint64_t{1} << 29) - 1;
  constexpr uint64_t kMiddle = uint64_t{1} << 28;
  constexpr uint64_t kMargin = 4;
  const uint64_t below = std::bit_cast<uint64_t>(value) & kBelowFloat;
  constexpr double kLargeFloat = 3.4e38;
  if (below - kMiddle + kMargin <= 2 * kMargin || value > kLargeFloat) return std::nullopt;
  // Values too small for a normal float are excluded above.
  const auto near = static_cast<float>(value);
  return decimal.negative ? -near : near;
}

/// Converts with the standard library; overflow gives infinity, underflow zero.
float slow_float(std::string_view text) {
  float value = 0;
  const auto result = std::from_chars(text.data(), text.data() + text.size(), value);
  if (result.ec != std::errc::result_out_of_range) return value;
  double wide = 0;
  const auto again = std::from_chars(text.data(), text.data() + text.size(), wide);
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  if (again.ec != std::errc::result_out_of_range) {
    if (std::abs(wide) < 1) return static_cast<float>(wide);
    return wide < 0 ? -kInfinity : kInfinity;
  }
  // The value is also out of range for doubles; the sign of the decimal exponent of its first digit
  // distinguishes overflow and underflow.
  const bool negative = text.starts_with('-');
  if (negative) text.remove_prefix(1);
  const size_t e = text.find_first_of("eE");
  const std::string_view digits = text.substr(0, e);
  const size_t dot = std::min(digits.find('.'), digits.size());
  const size_t first = digits.find_first_not_of("0.");
  int64_t power = static_cast<int64_t>(dot) - static_cast<int64_t>(first);
  if (e != std::string_view::npos) {
    take_exponent(text.data() + e + 1, text.data() + text.size(), power);
  }
  const float size = power > 0 ? kInfinity : 0.0F;
  return negative ? -size : size;
}

}  // namespace

JsonToken JsonScanner::read_floats(std::span<float> out, size_t& count) {
  count = 0;
  if (error_ != nullptr || depth_ == 0 || in_object()) return next();
  const char* const end = text_.data() + text_.size();
  while (count < out.size()) {
    const size_t before = at_;
    skip_space();
    if (expect_ == Expect::kSeparator) {
      if (at_ == text_.size() || text_[at_] != ',') break;
      ++at_;
      skip_space();
    }
    const char* first = text_.data() + at_;
    ScannedDecimal decimal;
    const char* last = take_number(first, end, decimal);
    if (last == nullptr) {
      at_ = before;
      break;
    }
    const std::optional<float> quick = quick_float(decimal);
    const float value = quick ? *quick : slow_float({first, static_cast<size_t>(last - first)});
    if (!std::isfinite(value)) {
      at_ = before;
      break;
    }
    out[count++] = value;
    at_ = static_cast<size_t>(last - text_.data());
    expect_ = Expect::kSeparator;
    token_ = JsonToken::kNumber;
  }
  return next();
}

}  // namespace quarry
