#include "engine/auto_ids.h"

#include <array>

#include "base/hash.h"
#include "base/random.h"
#include "store/uuid_text.h"

namespace quarry {
namespace {

constexpr uint64_t kSaltMask = (uint64_t{1} << 50) - 1;

}  // namespace

AutoIds::AutoIds(const Clock& clock) : clock_(clock), salt_(hash64(random_uuid())) {}

std::string AutoIds::next() {
  const uint64_t count = counter_.fetch_add(1, std::memory_order_relaxed);
  // The counter wraps after 2^24 ids; its higher bits are added to the salt.
  const uint64_t salt = (salt_ + (count >> 24)) & kSaltMask;
  const uint64_t high =
      static_cast<uint64_t>(clock_.wall_ms()) << 16 | 0x7000 | (count >> 12 & 0xfff);
  const uint64_t low = uint64_t{1} << 63 | (count & 0xfff) << 50 | salt;
  std::array<uint8_t, kUuidBytes> bytes;
  for (size_t i = 0; i < 8; i++) {
    bytes[i] = static_cast<uint8_t>(high >> (56 - 8 * i));
    bytes[i + 8] = static_cast<uint8_t>(low >> (56 - 8 * i));
  }
  std::string id(kUuidLength, '\0');
  print_uuid(bytes.data(), id.data());
  return id;
}

}  // namespace quarry
