// The hash that routes a document to its shard: Murmur3 (x86, 32 bit, seed 0) of the UTF-16 form,
// reduced as in Elasticsearch, so that an id is in the same shard as there. Determines the layout
// on disk, so it must never change.
#pragma once

#include <cstdint>
#include <string_view>

namespace quarry {

/// Shard of `routing` (valid UTF-8) among `shards` (>= 1).
uint32_t route(std::string_view routing, uint32_t shards) noexcept;

}  // namespace quarry
