// XXH3 (64 bit, seed 0): the one hash of ids (shard routing, id tables) and of cache keys.
// Routing and id tables are on disk, so the function may never change.
#pragma once

#include <cstdint>
#include <string_view>

namespace quarry {

uint64_t hash64(std::string_view text) noexcept;

}  // namespace quarry
