#include "vector/hnsw/visited_set.h"

#include "base/coding.h"

namespace quarry {

// The innermost loop of a walk takes a third of its time. It has no branches, and it is a separate
// function so that the surrounding code does not compete for registers.
uint32_t VisitedSet::add_all(const uint8_t* nodes, uint32_t count, uint32_t* out) noexcept {
  uint64_t* words = words_.data();
  uint32_t fresh = 0;
  for (uint32_t i = 0; i < count; ++i) {
    const auto node = load<uint32_t>(nodes + size_t{i} * 4);
    const uint64_t word = words[node >> 6];
    out[fresh] = node;
    fresh += static_cast<uint32_t>(~(word >> (node & 63)) & 1);
    words[node >> 6] = word | (uint64_t{1} << (node & 63));
  }
  return fresh;
}

}  // namespace quarry
