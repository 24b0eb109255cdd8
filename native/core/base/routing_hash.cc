#include "base/routing_hash.h"

#include <bit>

namespace quarry {
namespace {

/// The number of hash slots is the largest multiple of the shards by a power of two up to this
/// limit, as in Elasticsearch, where it allows splitting an index later.
constexpr uint32_t kMostSlots = 1024;

/// Murmur3 over a stream of 16-bit units, two per block.
class Murmur3 {
 public:
  void add(uint16_t unit) noexcept {
    block_ |= static_cast<uint32_t>(unit) << (units_ % 2 == 0 ? 0 : 16);
    if (++units_ % 2 != 0) return;
    hash_ = std::rotl(hash_ ^ scramble(block_), 13) * 5 + 0xe6546b64;
    block_ = 0;
  }
  uint32_t finish() noexcept {
    if (units_ % 2 != 0) hash_ ^= scramble(block_);
    uint32_t hash = hash_ ^ (units_ * 2);
    hash = (hash ^ (hash >> 16)) * 0x85ebca6b;
    hash = (hash ^ (hash >> 13)) * 0xc2b2ae35;
    return hash ^ (hash >> 16);
  }

 private:
  static uint32_t scramble(uint32_t block) noexcept {
    return std::rotl(block * 0xcc9e2d51, 15) * 0x1b873593;
  }

  uint32_t hash_ = 0;
  uint32_t block_ = 0;
  uint32_t units_ = 0;
};

/// Reads the code point at `at` and advances `at`. Bytes that are not valid UTF-8 count one by one.
uint32_t routed_code_point(std::string_view text, size_t& at) noexcept {
  const auto lead = static_cast<uint8_t>(text[at++]);
  const uint32_t more = lead >= 0xf0 ? 3 : lead >= 0xe0 ? 2 : lead >= 0xc0 ? 1 : 0;
  if (more == 0 || at + more > text.size()) return lead;
  uint32_t point = lead & (0x3fU >> more);
  for (uint32_t i = 0; i < more; i++)
    point = point << 6 | (static_cast<uint8_t>(text[at++]) & 0x3f);
  return point;
}

/// The hash slots of an index divided by its shards: the largest power of two with which the slots
/// stay within kMostSlots.
uint32_t slots_per_shard(uint32_t shards) noexcept {
  uint32_t factor = 1;
  while (shards * factor * 2 <= kMostSlots) factor *= 2;
  return factor;
}

}  // namespace

uint32_t route(std::string_view routing, uint32_t shards) noexcept {
  if (shards <= 1) return 0;
  Murmur3 hash;
  for (size_t at = 0; at < routing.size();) {
    const uint32_t point = routed_code_point(routing, at);
    if (point < 0x10000) {
      hash.add(static_cast<uint16_t>(point));
    } else {
      hash.add(static_cast<uint16_t>(0xd800 + ((point - 0x10000) >> 10)));
      hash.add(static_cast<uint16_t>(0xdc00 + ((point - 0x10000) & 0x3ff)));
    }
  }
  const uint32_t factor = slots_per_shard(shards);
  const int64_t slots = int64_t{shards} * factor;
  const int64_t signed_hash = static_cast<int32_t>(hash.finish());
  const int64_t slot = ((signed_hash % slots) + slots) % slots;
  return static_cast<uint32_t>(slot) / factor;
}

}  // namespace quarry
