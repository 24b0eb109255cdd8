// Encodes and decodes rank features.
#include "mapping/values/feature_value.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <optional>

#include "json/number.h"
#include "mapping/schema/number_types.h"

namespace quarry {

namespace {

constexpr uint32_t kDroppedBits = 15;
constexpr uint32_t kLargestCode =
    std::bit_cast<uint32_t>(std::numeric_limits<float>::max()) >> kDroppedBits;
constexpr size_t kCodeBytes = 3;

}  // namespace

Result<uint32_t> encode_feature(float value, std::string_view feature, std::string_view field) {
  const auto refuse = [&](const std::string& what) {
    return illegal_argument("featureValue must be " + what + ", got: " + format_double(value) +
                            " for feature " + std::string(feature) + " on field " +
                            std::string(field));
  };
  if (!std::isfinite(value)) return refuse("finite");
  if (value < std::numeric_limits<float>::min()) {
    Status small = refuse("a positive normal float");
    return illegal_argument(small.reason() + " which is less than the minimum positive normal " +
                            "float: 1.17549435E-38");
  }
  return std::bit_cast<uint32_t>(value) >> kDroppedBits;
}

float decode_feature(uint32_t code) noexcept {
  if (code > kLargestCode) return std::numeric_limits<float>::max();
  return std::bit_cast<float>(code << kDroppedBits);
}

Result<float> parse_feature(std::string_view text) {
  const std::optional<double> number = parse_double(trimmed_number(text));
  if (!number) {
    return illegal_argument(text.empty() ? "empty String"
                                         : "For input string: \"" + std::string(text) + "\"");
  }
  return static_cast<float>(*number);
}

std::string feature_prefix(std::string_view feature) { return std::string(feature) + '\0'; }

std::string feature_term(std::string_view feature, uint32_t code) {
  std::string term = feature_prefix(feature);
  for (size_t byte = kCodeBytes; byte-- > 0;) term += static_cast<char>(code >> (8 * byte));
  return term;
}

uint32_t feature_code(std::string_view term) noexcept {
  uint32_t code = 0;
  const size_t start = term.size() - std::min(term.size(), kCodeBytes);
  for (const char byte : term.substr(start)) code = code << 8 | static_cast<uint8_t>(byte);
  return code;
}

}  // namespace quarry
