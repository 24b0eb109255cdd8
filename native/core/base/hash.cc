#include "base/hash.h"

#define XXH_INLINE_ALL
#include <xxhash.h>
#undef XXH_INLINE_ALL

#include <algorithm>

namespace quarry {

uint64_t hash64(std::string_view text) noexcept { return XXH3_64bits(text.data(), text.size()); }

std::array<uint8_t, 16> hash128(std::string_view text) noexcept {
  XXH128_canonical_t canonical;
  XXH128_canonicalFromHash(&canonical, XXH3_128bits(text.data(), text.size()));
  std::array<uint8_t, 16> bytes{};
  std::copy_n(std::begin(canonical.digest), bytes.size(), bytes.begin());
  return bytes;
}

}  // namespace quarry
