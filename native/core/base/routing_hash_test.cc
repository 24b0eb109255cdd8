// The routing hash compared with reference values: Murmur3HashFunction of Elasticsearch's own
// tests, folded.
#include "base/routing_hash.h"

#include <string>

#include "testing/test.h"

namespace quarry::routing_hash_test {

/// floorMod(hash, 1024): for two shards it determines the half; for 1,024 shards it is the slot
/// itself.
uint32_t slot_of(int32_t hash) {
  return static_cast<uint32_t>(((int64_t{hash} % 1024) + 1024) % 1024);
}

TEST(RoutingHash, equals_the_reference) {
  // Values of Murmur3HashFunctionTests.
  EXPECT_EQ(route("hell", 1024), slot_of(0x5a0cb7c3));
  EXPECT_EQ(route("hello", 1024), slot_of(static_cast<int32_t>(0xd7c31989)));
  EXPECT_EQ(route("hello w", 1024), slot_of(0x22ab2984));
  EXPECT_EQ(route("hello wo", 1024), slot_of(static_cast<int32_t>(0xdf0ca123)));
  EXPECT_EQ(route("hello wor", 1024), slot_of(static_cast<int32_t>(0xe7744d61)));
  EXPECT_EQ(route("The quick brown fox jumps over the lazy dog", 1024),
            slot_of(static_cast<int32_t>(0xe07db09c)));
}

TEST(RoutingHash, stays_within_the_shards) {
  for (const uint32_t shards : {1U, 2U, 3U, 5U, 7U, 1000U, 1024U}) {
    for (int i = 0; i < 200; i++) EXPECT_TRUE(route("doc-" + std::to_string(i), shards) < shards);
  }
  EXPECT_TRUE(route("\xff\xf0", 5) < 5);  // invalid UTF-8 is routed as well
  EXPECT_TRUE(route("\xf0\x9f\x98\x80", 5) < 5);
}

}  // namespace quarry::routing_hash_test
