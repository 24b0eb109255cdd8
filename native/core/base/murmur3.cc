#include "base/murmur3.h"

#include <bit>

#include "base/coding.h"

namespace quarry {

uint32_t murmur3_32(std::string_view text, uint32_t seed) noexcept {
  const auto mix = [](uint32_t block) { return std::rotl(block * 0xcc9e2d51U, 15) * 0x1b873593U; };
  uint32_t hash = seed;
  size_t at = 0;
  for (; at + 4 <= text.size(); at += 4) {
    hash = std::rotl(hash ^ mix(load<uint32_t>(text.data() + at)), 13) * 5 + 0xe6546b64U;
  }
  uint32_t tail = 0;
  for (size_t i = text.size(); i > at; i--) tail = (tail << 8) | static_cast<uint8_t>(text[i - 1]);
  if (at < text.size()) hash ^= mix(tail);
  hash ^= static_cast<uint32_t>(text.size());
  hash = (hash ^ (hash >> 16)) * 0x85ebca6bU;
  hash = (hash ^ (hash >> 13)) * 0xc2b2ae35U;
  return hash ^ (hash >> 16);
}

uint32_t java_hash(std::string_view text) noexcept {
  uint32_t hash = 0;
  for (const char c : text) hash = hash * 31 + static_cast<uint8_t>(c);
  return hash;
}

}  // namespace quarry
