#include "postings/norms.h"

#include <algorithm>
#include <bit>
#include <limits>

namespace quarry {
namespace {

/// Lengths below this are encoded exactly: the number of the 256 codes that remain once the largest
/// int has a code.
constexpr uint32_t kExact = 24;
constexpr uint32_t kMaxLength = std::numeric_limits<int32_t>::max();

/// Encodes a float without sign: 3 stored mantissa bits after an implicit leading one, and the
/// exponent above them.
constexpr uint32_t encode_float(uint32_t value) {
  const auto bits = static_cast<uint32_t>(std::bit_width(value));
  if (bits < 4) return value;
  const uint32_t shift = bits - 4;
  return ((value >> shift) & 7) | ((shift + 1) << 3);
}

constexpr uint32_t decode_float(uint32_t code) {
  const uint32_t exponent = code >> 3;
  return exponent == 0 ? code : ((code & 7) | 8) << (exponent - 1);
}

constexpr uint32_t length_of(uint32_t norm) {
  return norm < kExact ? norm : kExact + decode_float(norm - kExact);
}

constexpr std::array<uint32_t, 256> make_lengths() {
  std::array<uint32_t, 256> lengths{};
  for (uint32_t norm = 0; norm < 256; ++norm) lengths[norm] = length_of(norm);
  return lengths;
}

constexpr std::array<uint32_t, 256> kLengths = make_lengths();

}  // namespace

uint8_t encode_norm(uint32_t length) noexcept {
  if (length < kExact) return static_cast<uint8_t>(length);
  return static_cast<uint8_t>(kExact + encode_float(std::min(length, kMaxLength) - kExact));
}

uint32_t decode_norm(uint8_t norm) noexcept { return kLengths[norm]; }

const std::array<uint32_t, 256>& norm_lengths() noexcept { return kLengths; }

}  // namespace quarry
