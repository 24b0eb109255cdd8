#include "engine/auto_ids.h"

#include "base/hash.h"
#include "base/random.h"

namespace quarry {
namespace {

constexpr uint64_t kSaltMask = (uint64_t{1} << 50) - 1;
constexpr size_t kUuidLength = 36;

/// Prints both halves in the text form of RFC 9562.
std::string print_uuid(uint64_t high, uint64_t low) {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  text.reserve(kUuidLength);
  for (int digit = 0; digit < 32; digit++) {
    if (digit == 8 || digit == 12 || digit == 16 || digit == 20) text += '-';
    const uint64_t half = digit < 16 ? high : low;
    text += kDigits[half >> (60 - 4 * (digit % 16)) & 15];
  }
  return text;
}

}  // namespace

AutoIds::AutoIds(const Clock& clock) : clock_(clock), salt_(hash64(random_uuid())) {}

std::string AutoIds::next() {
  const uint64_t count = counter_.fetch_add(1, std::memory_order_relaxed);
  // The counter wraps after 2^24 ids; its higher bits are added to the salt.
  const uint64_t salt = (salt_ + (count >> 24)) & kSaltMask;
  const uint64_t high = static_cast<uint64_t>(clock_.wall_ms()) << 16 | 0x7000 | (count >> 12 & 0xfff);
  const uint64_t low = uint64_t{1} << 63 | (count & 0xfff) << 50 | salt;
  return print_uuid(high, low);
}

}  // namespace quarry
