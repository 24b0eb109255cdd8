// The hashes compared with known values.
#include "base/murmur3.h"

#include "testing/test.h"

namespace quarry::murmur3_test {

TEST(Murmur3, OfKnownTexts) {
  EXPECT_EQ(murmur3_32("", 0), 0U);
  EXPECT_EQ(murmur3_32("test", 0), 0xba6bd213U);
  EXPECT_EQ(murmur3_32("Hello, world!", 0x9747b28cU), 0x24884cbaU);
}

TEST(Murmur3, JavaHashOfKnownTexts) {
  EXPECT_EQ(java_hash(""), 0U);
  EXPECT_EQ(java_hash("hello"), 99162322U);
}

}  // namespace quarry::murmur3_test
