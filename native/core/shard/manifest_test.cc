// The manifest is read as it was written, and anything else is rejected.
#include "shard/manifest.h"

#include "base/crc32c.h"
#include "testing/test.h"

namespace quarry::manifest_test {

std::shared_ptr<const Bitset> live_without(uint32_t docs, std::initializer_list<uint32_t> dead) {
  Bitset bits(docs, true);
  for (const uint32_t doc : dead) bits.clear(doc);
  return std::make_shared<const Bitset>(bits);
}

Manifest sample() {
  Manifest manifest;
  manifest.covered = 1234;
  manifest.next_file_number = 9;
  manifest.segments.push_back({3, 1000, 500, 500, nullptr, {400, 9000, 1, 70000}});
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
  EXPECT_EQ(read->segments[0].vectors.count, 400);
  EXPECT_EQ(read->segments[0].vectors.row_bytes, 9000);
  EXPECT_EQ(read->segments[0].vectors.code_bytes, 1);
  EXPECT_EQ(read->segments[0].vectors.graph_bytes, 70000);
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

/// As written by releases without vectors.
TEST(Manifest, TheFirstVersionIsRead) {
  ByteWriter out;
  out.put(kManifestMagic);
  out.put(uint32_t{1});
  out.put(uint64_t{5});   // covered
  out.put(uint64_t{3});   // next file number
  out.put(uint32_t{1});   // segments
  out.put(uint64_t{2});   // file number
  out.put(uint64_t{64});  // bytes
  out.put(uint32_t{7});   // documents
  out.put(uint8_t{0});    // all live
  out.put(uint32_t{0});   // tombstones
  out.put(crc32c(out.view()));
  const auto read = decode_manifest(out.view());
  ASSERT_OK(read);
  ASSERT_EQ(read->segments.size(), 1);
  EXPECT_EQ(read->segments[0].live_count, 7);
  EXPECT_EQ(read->segments[0].vectors.count, 0);
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

}  // namespace quarry::manifest_test
