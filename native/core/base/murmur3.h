// Hashes that Elasticsearch computes as well, for results that have to be its own: partitions of terms,
// random scores. Never on disk (routing: routing_hash.h).
#pragma once

#include <cstdint>
#include <string_view>

namespace quarry {

/// MurmurHash3 (x86, 32 bits) of the bytes.
uint32_t murmur3_32(std::string_view text, uint32_t seed) noexcept;

/// Java's String.hashCode of ASCII text; other bytes count one by one, as Latin-1.
uint32_t java_hash(std::string_view text) noexcept;

}  // namespace quarry
