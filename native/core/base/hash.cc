#include "base/hash.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace quarry {

uint64_t hash64(std::string_view text) noexcept { return XXH3_64bits(text.data(), text.size()); }

}  // namespace quarry
