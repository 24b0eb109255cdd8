// The content hashes compared with known values, because they name data on disk.
#include "base/hash.h"

#include <string>
#include <string_view>

#include "testing/test.h"

namespace quarry::hash_test {

std::string hex128(std::string_view text) {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string hex;
  for (const uint8_t byte : hash128(text)) {
    hex += kDigits[byte >> 4];
    hex += kDigits[byte & 15];
  }
  return hex;
}

TEST(Hash, of_128_bits_equals_the_reference) {
  // The published value of XXH3-128 for an empty input, and the id of a link.
  EXPECT_EQ(hex128(""), "99aa06d3014798d86001c324468d497f");
  constexpr std::string_view kLink(
      "xg1\0note-alpha\0wikilink\0note-beta\0"
      "1753600000000",
      47);
  EXPECT_EQ(hex128(kLink), "bef814a75bd3d914c3e561f610154304");
}

TEST(Hash, of_64_bits_equals_the_reference) { EXPECT_EQ(hash64(""), 0x2d06800538d394c2U); }

}  // namespace quarry::hash_test
