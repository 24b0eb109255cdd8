// Random damage to valid bytes, which fuzz targets and corruption tests pass to readers.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "base/coding.h"
#include "base/random.h"

namespace quarry::testing {

/// Makes one to four edits: flips bits, overwrites bytes and words, or cuts off the end.
inline void damage(std::vector<uint8_t>& bytes, Random& random) {
  constexpr uint32_t kEdges[] = {0, 1, 0x7f, 0x80, 0xff, 0x7fffffff, 0x80000000, 0xffffffff};
  for (uint64_t edits = 1 + random.below(4); edits > 0 && !bytes.empty(); --edits) {
    const size_t at = random.below(bytes.size());
    switch (random.below(5)) {
      case 0:
        bytes.resize(random.below(8) == 0 ? at : bytes.size());
        break;
      case 1:
        bytes[at] = static_cast<uint8_t>(random.next());
        break;
      case 2:
        if (bytes.size() - at >= 4) store(bytes.data() + at, kEdges[random.below(8)]);
        break;
      default:
        bytes[at] = static_cast<uint8_t>(bytes[at] ^ (1U << random.below(8)));
        break;
    }
  }
}

}  // namespace quarry::testing
