// The manifest comes back as it was written, and nothing else is taken for one.
#include "shard/manifest.h"

#include "testing/test.h"

namespace quarry {
namespace {

std::shared_ptr<const Bitset> live_without(uint32_t docs, std::initializer_list<uint32_t> dead) {
  Bitset bits(docs, true);
  for (const uint32_t doc : dead) bits.clear(doc);
  return std::make_shared<const Bitset>(bits);
}

Manifest sample() {
  Manifest manifest;
  manifest.covered = 1234;
  manifest.next_file_number = 9;
  manifest.segments.push_back({3, 1000, 500, 500, nullptr});
  manifest.segments.push_back({5, 2000, 1000, 997, live_without(1000, {0, 64, 999})});
  manifest.segments.push_back({8, 10, 4, 1, live_without(4, {0, 1, 3})});
  manifest.tombstones.push_back({"gone", {{7, 1200, 1}, 1700000000000}});
  return manifest;
}

TEST(Manifest, ComesBackAsItWasWritten) {
  const auto read = decode_manifest(encode_manifest(sample()));
  ASSERT_OK(read);
  EXPECT_EQ(read->covered, 1234);
  EXPECT_EQ(read->next_file_number, 9);
  ASSERT_EQ(read->segments.size(), 3);
  EXPECT_TRUE(read->segments[0].live == nullptr);
  EXPECT_EQ(read->segments[1].live_count, 997);
  EXPECT_FALSE(read->segments[1].live->test(64));
  EXPECT_TRUE(read->segments[1].live->test(998));
  EXPECT_FALSE(read->segments[1].live->test(999));
  EXPECT_EQ(read->segments[2].live_count, 1);
  EXPECT_TRUE(read->segments[2].live->test(2));
  ASSERT_EQ(read->tombstones.size(), 1);
  EXPECT_EQ(read->tombstones[0].first, "gone");
  EXPECT_EQ(read->tombstones[0].second.version.version, 7);
}

TEST(Manifest, CutOffOrChangedItIsRefused) {
  const std::vector<uint8_t> bytes = encode_manifest(sample());
  for (size_t size = 0; size < bytes.size(); size++) {
    EXPECT_EQ(decode_manifest(Bytes(bytes).first(size)).status().type(), ErrorType::kCorrupt);
  }
  for (size_t at = 0; at < bytes.size(); at++) {
    std::vector<uint8_t> changed = bytes;
    changed[at] ^= 16;
    EXPECT_EQ(decode_manifest(changed).status().type(), ErrorType::kCorrupt);
  }
}

}  // namespace
}  // namespace quarry
