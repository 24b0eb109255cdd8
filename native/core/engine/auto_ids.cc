#include "engine/auto_ids.h"

#include <array>

#include "base/hash.h"
#include "base/random.h"

namespace quarry {
namespace {

constexpr std::string_view kAlphabet =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/// `count` low bytes of `value`, most significant first.
uint8_t* put(uint8_t* at, uint64_t value, int count) {
  for (int i = count - 1; i >= 0; i--) *at++ = static_cast<uint8_t>(value >> (8 * i));
  return at;
}

}  // namespace

AutoIds::AutoIds(const Clock& clock) : clock_(clock), salt_(hash64(random_uuid())) {}

std::string AutoIds::next() {
  const uint64_t count = counter_.fetch_add(1, std::memory_order_relaxed);
  // The counter wraps after 2^24 ids: what it loses goes into the salt.
  std::array<uint8_t, 15> bytes;
  uint8_t* at = put(bytes.data(), static_cast<uint64_t>(clock_.wall_ms()), 6);
  at = put(at, count, 3);
  put(at, salt_ + (count >> 24), 6);
  std::string id;
  for (size_t i = 0; i < bytes.size(); i += 3) {
    const uint32_t bits = uint32_t{bytes[i]} << 16 | uint32_t{bytes[i + 1]} << 8 | bytes[i + 2];
    for (int shift = 18; shift >= 0; shift -= 6) id += kAlphabet[bits >> shift & 63];
  }
  return id;
}

}  // namespace quarry
