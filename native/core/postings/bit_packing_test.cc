// Bit packing with SIMD compared with the scalar reference, and patched packs compared with their
// original values.
#include "postings/bit_packing.h"

#include <algorithm>
#include <vector>

#include "base/random.h"
#include "postings/patched_packing.h"
#include "testing/test.h"

namespace quarry::bit_packing_test {

std::vector<uint32_t> random_values(uint32_t count, uint32_t width, Random& random) {
  std::vector<uint32_t> values;
  for (uint32_t i = 0; i < count; ++i) {
    values.push_back(static_cast<uint32_t>(random.next() & ((uint64_t{1} << width) - 1)));
  }
  return values;
}

TEST(BitPacking, RoundTripsEveryWidthAndCount) {
  Random random(1);
  for (uint32_t width = 0; width <= kMaxPackWidth; ++width) {
    for (uint32_t count = 1; count <= kPackValues; count += count < 20 || count > 120 ? 1 : 9) {
      const std::vector<uint32_t> values = random_values(count, width, random);
      // Misaligned by one byte, so that nothing relies on alignment; exact in size, so that ASan
      // detects a read past the end.
      std::vector<uint8_t> bytes(packed_bytes(count, width) + 1);
      pack_bits(values.data(), count, width, bytes.data() + 1);
      std::vector<uint32_t> vector((count + 3) / 4 * 4);
      std::vector<uint32_t> scalar(vector.size());
      unpack_bits(bytes.data() + 1, count, width, vector.data());
      unpack_bits_scalar(bytes.data() + 1, count, width, scalar.data());
      EXPECT_TRUE(vector == scalar);
      vector.resize(count);
      EXPECT_TRUE(vector == values);
    }
  }
}

TEST(BitPacking, SumsGapsLikeTheScalarLoop) {
  Random random(2);
  for (const uint32_t base : {0U, 77U, ~0U}) {
    uint32_t vector[kPackValues];
    uint32_t scalar[kPackValues];
    uint32_t before[kPackValues];
    for (uint32_t i = 0; i < kPackValues; ++i)
      vector[i] = scalar[i] = static_cast<uint32_t>(random.next());
    sum_before(vector, before);
    uint32_t sum = 0;
    for (uint32_t i = 0; i < kPackValues; ++i) {
      EXPECT_EQ(before[i], sum);
      sum += vector[i];
    }
    sum_gaps(vector, base);
    sum_gaps_scalar(scalar, base);
    for (uint32_t i = 0; i < kPackValues; ++i) EXPECT_EQ(vector[i], scalar[i]);
  }
}

TEST(PatchedPacking, RoundTripsWithOutliers) {
  Random random(3);
  for (uint32_t round = 0; round < 2000; ++round) {
    const auto count = 1 + static_cast<uint32_t>(random.below(kPackValues));
    std::vector<uint32_t> values =
        random_values(count, static_cast<uint32_t>(random.below(9)), random);
    for (uint64_t outliers = random.below(6); outliers > 0; --outliers) {
      values[random.below(count)] = static_cast<uint32_t>(random.next() >> (32 + random.below(32)));
    }
    ByteWriter writer;
    writer.put(uint8_t{9});
    const PackShape shape = put_patched(values, writer);
    EXPECT_EQ(writer.size(), 1 + patched_bytes(count, shape));
    std::vector<uint32_t> seen((count + 3) / 4 * 4);
    EXPECT_TRUE(get_patched(writer.view(), 1, count, shape, seen.data()));
    seen.resize(count);
    EXPECT_TRUE(seen == values);
    EXPECT_FALSE(
        get_patched(writer.view().first(writer.size() - 1), 1, count, shape, seen.data()) &&
        patched_bytes(count, shape) > 0);
  }
}

TEST(PatchedPacking, KeepsOneOutlierOutOfTheWidth) {
  std::vector<uint32_t> values(kPackValues, 1);
  values[17] = 1000000;
  ByteWriter writer;
  const PackShape shape = put_patched(values, writer);
  EXPECT_EQ(shape.width, 1);
  EXPECT_EQ(writer.size(), 16 + 1 + 3);
}

TEST(PatchedPacking, RefusesAnInvalidShape) {
  const std::vector<uint8_t> bytes(1024, 0xff);
  uint32_t values[kPackValues];
  EXPECT_FALSE(get_patched(bytes, 0, kPackValues, {33, 0}, values));
  EXPECT_FALSE(get_patched(bytes, 0, kPackValues, {32, 2}, values));
  EXPECT_FALSE(get_patched(bytes, 0, kPackValues, {1, 2}, values));
  EXPECT_FALSE(get_patched(bytes, 1025, 1, {0, 0}, values));
  EXPECT_FALSE(get_patched(bytes, ~uint64_t{0}, 1, {1, 0}, values));
}

}  // namespace quarry::bit_packing_test
