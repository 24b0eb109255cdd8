// XXH3 (64 bit, seed 0): the hash of id tables and of cache keys (routing: routing_hash.h).
// Id tables are on disk, so the function may never change.
#pragma once

#include <cstdint>
#include <string_view>

namespace quarry {

uint64_t hash64(std::string_view text) noexcept;

}  // namespace quarry
