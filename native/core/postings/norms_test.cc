// Norm bytes compared with the golden table of Lucene's SmallFloat.
#include "postings/norms.h"

#include <cstdio>
#include <fstream>
#include <string>

#include "testing/test.h"

namespace quarry::norms_test {

TEST(Norms, AreExactUpTo40AndThenMonotonic) {
  for (uint32_t length = 0; length <= 40; ++length)
    EXPECT_EQ(decode_norm(encode_norm(length)), length);
  EXPECT_EQ(decode_norm(encode_norm(41)), 40);
  EXPECT_EQ(decode_norm(encode_norm(100)), 96);
  EXPECT_EQ(encode_norm(0x7fffffff), 255);
  EXPECT_EQ(encode_norm(0xffffffff), 255);
  for (uint32_t norm = 1; norm < 256; ++norm) {
    EXPECT_LT(norm_lengths()[norm - 1], norm_lengths()[norm]);
    EXPECT_EQ(encode_norm(norm_lengths()[norm]), norm);
    EXPECT_EQ(encode_norm(norm_lengths()[norm] - 1), norm - 1);
  }
}

TEST(Norms, EqualTheGoldenTable) {
  std::ifstream golden(std::string(QUARRY_SOURCE_DIR) + "/../shared/lexical/golden/norms.tsv");
  if (!golden) {
    std::printf("  skipped: no golden norms\n");
    return;
  }
  std::string heading;
  std::getline(golden, heading);
  uint32_t rows = 0;
  for (uint32_t norm = 0, length = 0; golden >> norm >> length; ++rows) {
    EXPECT_EQ(decode_norm(static_cast<uint8_t>(norm)), length);
  }
  EXPECT_EQ(rows, 256);
}

}  // namespace quarry::norms_test
