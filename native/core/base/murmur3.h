// Hashes that Elasticsearch computes as well, for results that must equal its results: partitions
// of terms, random scores. Never stored on disk (routing: routing_hash.h).
#pragma once

#include <cstdint>
#include <string_view>

namespace quarry {

/// MurmurHash3 (x86, 32 bits) of the bytes.
uint32_t murmur3_32(std::string_view text, uint32_t seed) noexcept;

/// Java's String.hashCode of ASCII text; each other byte counts as one character, as in Latin-1.
uint32_t java_hash(std::string_view text) noexcept;

}  // namespace quarry
