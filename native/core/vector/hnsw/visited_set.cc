#include "vector/hnsw/visited_set.h"

#include "base/coding.h"

namespace quarry {

// The innermost loop of a walk, a third of its time: free of branches, and a function of its own,
// so that nothing of the walk around it competes for registers.
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
