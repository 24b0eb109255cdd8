#include "store/lz4_block.h"

#include <lz4.h>

#include <limits>

namespace quarry {

bool lz4_compress(Bytes raw, std::vector<uint8_t>& out) {
  if (raw.size() < 2 || raw.size() > LZ4_MAX_INPUT_SIZE) return false;
  const size_t start = out.size();
  const size_t room = raw.size() - 1;  // a block that does not fit here is not worth having
  out.resize(start + room);
  const int size = LZ4_compress_default(reinterpret_cast<const char*>(raw.data()),
                                        reinterpret_cast<char*>(out.data() + start),
                                        static_cast<int>(raw.size()), static_cast<int>(room));
  out.resize(start + (size > 0 ? static_cast<size_t>(size) : 0));
  return size > 0;
}

bool lz4_decompress(Bytes block, std::span<uint8_t> out) {
  constexpr size_t kMax = std::numeric_limits<int>::max();
  if (block.empty() || block.size() > kMax || out.size() > kMax) return false;
  const int size = LZ4_decompress_safe(
      reinterpret_cast<const char*>(block.data()), reinterpret_cast<char*>(out.data()),
      static_cast<int>(block.size()), static_cast<int>(out.size()));
  return size >= 0 && static_cast<size_t>(size) == out.size();
}

}  // namespace quarry
