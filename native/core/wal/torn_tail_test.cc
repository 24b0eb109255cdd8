// What a crash can leave of a frame, and what it cannot.
#include "wal/torn_tail.h"

#include <algorithm>
#include <string>
#include <vector>

#include "testing/fault_file_system.h"
#include "testing/test.h"
#include "wal/log_bounds.h"
#include "wal/log_record.h"

namespace quarry::torn_tail_test {

constexpr uint32_t kSeed = 77;

/// A frame of several sectors, followed by zeros.
std::vector<uint8_t> frame_and_space() {
  const std::string body = "{\"text\":\"" + std::string(1500, 'x') + "\"}";
  WalRecord record;
  record.id = "id";
  record.body = body;
  WalFrame frame;
  frame.add(record);
  frame.finish();
  const Bytes sealed = frame.seal(kSeed, 0);
  std::vector<uint8_t> bytes(sealed.begin(), sealed.end());
  bytes.resize(4096);
  return bytes;
}

TEST(TornTail, EveryPrefixOfAFrameMayBe) {
  const std::vector<uint8_t> whole = frame_and_space();
  for (size_t size = 0; size < 1560; size++) {
    std::vector<uint8_t> cut = whole;
    std::fill(cut.begin() + static_cast<std::ptrdiff_t>(size), cut.end(), uint8_t{0});
    EXPECT_TRUE(may_be_torn(cut, 64, kSeed));
    EXPECT_TRUE(may_be_torn(Bytes(whole).first(size), 64, kSeed));
  }
}

TEST(TornTail, EveryMissingSectorMayBe) {
  const std::vector<uint8_t> whole = frame_and_space();
  for (const size_t offset : {size_t{64}, size_t{500}, size_t{4095}}) {
    for (size_t sector = 0; sector < (offset + 1500) / 512; sector++) {
      std::vector<uint8_t> torn = whole;
      bool any = false;
      for (size_t at = 0; at < 1500; at++) {
        if ((offset + at) / 512 != sector) continue;
        any = true;
        torn[at] = 0;
      }
      if (any) EXPECT_TRUE(may_be_torn(torn, offset, kSeed));
    }
  }
}

TEST(TornTail, AFlippedByteOfAWholeFrameIsDamage) {
  const std::vector<uint8_t> whole = frame_and_space();
  for (size_t at = 0; at < 1500; at++) {
    std::vector<uint8_t> flipped = whole;
    flipped[at] ^= 1;
    EXPECT_FALSE(may_be_torn(flipped, 64, kSeed));
  }
}

TEST(TornTail, BytesThatAreNoFrameMayBe) {
  EXPECT_TRUE(may_be_torn(std::vector<uint8_t>(100, 'x'), 64, kSeed));
  EXPECT_TRUE(may_be_torn(std::vector<uint8_t>(100, 0), 64, kSeed));
  EXPECT_TRUE(may_be_torn({}, 64, kSeed));
}

TEST(WalBounds, ComeBackAndAreRefusedWhenDamaged) {
  testing::FaultFileSystem disk;
  ASSERT_OK(disk.create_dirs("/data"));
  EXPECT_FALSE(read_wal_bounds(disk, "/data/wal")->has_value());
  ASSERT_OK(write_wal_bounds(disk, "/data/wal", {3, 9}));
  const auto read = *read_wal_bounds(disk, "/data/wal");
  ASSERT_TRUE(read.has_value());
  EXPECT_EQ(read->first, 3);
  EXPECT_EQ(read->last, 9);
  for (size_t at = 0; at < 24; at++) {
    disk.damage(wal_bounds_path("/data/wal"), at, 1);
    EXPECT_EQ(read_wal_bounds(disk, "/data/wal").status().type(), ErrorType::kCorrupt);
    disk.damage(wal_bounds_path("/data/wal"), at, 1);
  }
}

}  // namespace quarry::torn_tail_test
