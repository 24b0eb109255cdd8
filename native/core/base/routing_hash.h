// The hash that routes a document to its shard: Murmur3 (x86, 32 bit, seed 0) of the UTF-16 form, folded as Elasticsearch
// folds it, so that an id lies on the shard that its clients expect. On disk, so it may never change.
#pragma once

#include <cstdint>
#include <string_view>

namespace quarry {

/// Shard of `routing` (valid UTF-8) among `shards` (>= 1).
uint32_t route(std::string_view routing, uint32_t shards) noexcept;

}  // namespace quarry
