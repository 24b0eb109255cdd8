// XXH3 (seed 0): 64 bits for id tables and cache keys (routing: routing_hash.h), 128 bits for names
// computed from content. Id tables and such names are stored on disk, so the functions must never
// change.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace quarry {

uint64_t hash64(std::string_view text) noexcept;
/// The 16 bytes in XXH3's canonical order, most significant first, which is the order of its
/// hexadecimal form.
std::array<uint8_t, 16> hash128(std::string_view text) noexcept;

}  // namespace quarry
