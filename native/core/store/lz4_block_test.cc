#include "store/lz4_block.h"

#include <cstdint>
#include <string>
#include <vector>

#include "base/random.h"
#include "testing/test.h"

namespace quarry::lz4_block_test {
Bytes bytes_of(const std::string& text) {
  return {reinterpret_cast<const uint8_t*>(text.data()), text.size()};
}

std::string words(Random& random, size_t count) {
  static const char* const kWords[] = {"merge", "branch",          " of ", "segment",
                                       "\n",    "{\"message\":\"", "fix"};
  std::string text;
  for (size_t i = 0; i < count; ++i) text += kWords[random.below(std::size(kWords))];
  return text;
}

TEST(Lz4Block, StartOfABlockIsTheStartOfItsText) {
  Random random(7);
  for (int round = 0; round < 60; ++round) {
    const std::string dictionary = round % 2 == 0 ? "" : words(random, 300);
    const std::string text = words(random, 1 + random.below(900));
    Lz4Packer packer(bytes_of(dictionary));
    std::vector<uint8_t> block;
    if (!packer.compress(bytes_of(text), block)) continue;
    for (size_t length = 0; length <= text.size(); length += 1 + random.below(40)) {
      std::string start(length, '?');
      EXPECT_TRUE(lz4_decompress_start(block, {reinterpret_cast<uint8_t*>(start.data()), length},
                                       bytes_of(dictionary)));
      EXPECT_EQ(start, text.substr(0, length));
    }
    std::string whole(text.size(), '?');
    const std::span<uint8_t> room(reinterpret_cast<uint8_t*>(whole.data()), whole.size());
    EXPECT_TRUE(lz4_decompress(block, room, bytes_of(dictionary)));
    EXPECT_EQ(whole, text);
    std::vector<uint8_t> longer(text.size() + 1);
    EXPECT_FALSE(lz4_decompress_start(block, longer, bytes_of(dictionary)));
  }
}

TEST(Lz4Block, StartOfAnyBytesIsSafe) {
  Random random(8);
  for (int round = 0; round < 2000; ++round) {
    const std::string dictionary = round % 3 == 0 ? words(random, 50) : "";
    std::vector<uint8_t> block(random.below(64));
    for (uint8_t& byte : block) byte = static_cast<uint8_t>(random.below(256));
    std::vector<uint8_t> out(random.below(300));
    lz4_decompress_start(block, out, bytes_of(dictionary));
  }
}

}  // namespace quarry::lz4_block_test
