// Lists, counts and compressions of bits compared with loops over single bits.
#include "base/bit_list.h"

#include <algorithm>
#include <iterator>
#include <vector>

#include "base/random.h"
#include "testing/test.h"

namespace quarry::bit_list_test {

constexpr uint32_t kBlock = 128;

TEST(BitList, CountsTheSetBits) {
  Random random(7);
  for (uint32_t size = 0; size < 20; ++size) {
    std::vector<uint64_t> a(size), b(size);
    uint64_t expected = 0, shared = 0;
    for (uint32_t i = 0; i < size; ++i) {
      a[i] = random.next();
      b[i] = random.next();
      for (uint32_t bit = 0; bit < 64; ++bit) {
        expected += a[i] >> bit & 1;
        shared += a[i] >> bit & b[i] >> bit & 1;
      }
    }
    EXPECT_EQ(count_bits(a), expected);
    EXPECT_EQ(count_shared_bits(a, b), shared);
  }
}

TEST(BitList, MovesTheBitsOfAMaskTogether) {
  Random random(8);
  for (uint32_t round = 0; round < 50; ++round) {
    const uint64_t masks[] = {random.next(), random.next() & random.next(), 0, ~uint64_t{0},
                              uint64_t{1} << 63};
    const uint64_t words[] = {random.next(), random.next(), random.next(), random.next(),
                              random.next()};
    uint64_t found[5], plain[5];
    compress_words(words, masks, 5, found);
    compress_words_plain(words, masks, 5, plain);
    for (uint32_t i = 0; i < 5; ++i) {
      uint64_t expected = 0;
      for (uint32_t bit = 0, place = 0; bit < 64; ++bit) {
        if ((masks[i] >> bit & 1) != 0) expected |= (words[i] >> bit & 1) << place++;
      }
      EXPECT_EQ(found[i], expected);
      EXPECT_EQ(plain[i], expected);
    }
  }
}

TEST(BitList, ListsTheSetBits) {
  Random random(4);
  for (uint32_t size = 0; size < 67; ++size) {
    std::vector<uint8_t> bytes(size);
    std::vector<uint32_t> expected;
    for (uint8_t& byte : bytes)
      byte = random.below(4) == 0 ? 0xff : static_cast<uint8_t>(random.next());
    for (uint32_t bit = 0; bit < 8 * size; ++bit) {
      if ((bytes[bit / 8] >> (bit % 8) & 1) != 0) expected.push_back(1000 + bit);
    }
    std::vector<uint32_t> vector(expected.size() + kBitListSlack);
    std::vector<uint32_t> scalar(vector);
    EXPECT_EQ(list_bits(bytes, 1000, vector.data()), expected.size());
    EXPECT_EQ(list_bits_scalar(bytes, 1000, scalar.data()), expected.size());
    vector.resize(expected.size());
    scalar.resize(expected.size());
    EXPECT_TRUE(vector == expected && scalar == expected);
  }
}

TEST(BitList, KeepsWhatIsSet) {
  Random random(6);
  for (uint32_t count = 0; count < 140; ++count) {
    uint64_t words[64];
    for (uint64_t& word : words) word = random.next() | (count % 3 == 0 ? random.next() : 0);
    std::vector<uint32_t> docs;
    std::vector<uint32_t> expected;
    for (uint32_t doc = 0; docs.size() < count;
         doc += 1 + static_cast<uint32_t>(random.below(28))) {
      docs.push_back(doc);
      if ((words[doc / 64] >> (doc % 64) & 1) != 0) expected.push_back(doc);
    }
    std::vector<uint32_t> kept(count);
    kept.resize(keep_set(docs, words, kept.data()));
    EXPECT_TRUE(kept == expected);
  }
}

TEST(BitList, ListsABlock) {
  Random random(5);
  for (uint32_t size = 16; size <= 128; size += size < 24 ? 1 : 8) {
    std::vector<uint8_t> bytes(size);
    uint32_t expected[kBlock];
    for (uint32_t left = kBlock; left > 0;) {
      const auto bit = static_cast<uint32_t>(random.below(uint64_t{8} * size));
      const auto mask = static_cast<uint8_t>(1U << (bit % 8));
      if ((bytes[bit / 8] & mask) != 0) continue;
      bytes[bit / 8] |= mask;
      left--;
    }
    for (uint32_t bit = 0, i = 0; bit < 8 * size; ++bit) {
      if ((bytes[bit / 8] >> (bit % 8) & 1) != 0) expected[i++] = 1000 + bit;
    }
    uint32_t found[kBlock] = {};
    EXPECT_TRUE(list_block_bits(bytes, 1000, found));
    EXPECT_TRUE(std::equal(std::begin(found), std::end(found), std::begin(expected)));
    // A wrong number of bits is damage.
    const uint8_t first = bytes[0];
    for (uint32_t bit = 0; bit < 8; ++bit) {
      bytes[0] = static_cast<uint8_t>(first ^ (1U << bit));
      EXPECT_FALSE(list_block_bits(bytes, 1000, found));
    }
    bytes[0] = first;
  }
}

}  // namespace quarry::bit_list_test
