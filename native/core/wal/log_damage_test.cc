// The log with truncated, damaged or lost files: a torn tail ends it, damage to durable data is an
// error.
#include <string>
#include <vector>

#include "testing/fault_file_system.h"
#include "testing/test_log.h"

namespace quarry::log_damage_test {

using testing::FaultFileSystem;
using testing::kDir;
using testing::kNode;
using testing::last_file;
using testing::Log;
using testing::up_to;

/// A disk whose only log file holds the first `size` bytes of `bytes`.
void write_log(FaultFileSystem& disk, const std::string& path, Bytes bytes) {
  EXPECT_OK(disk.create_dirs(kDir));
  auto file = disk.create(path);
  ASSERT_OK(file);
  EXPECT_OK((*file)->append(bytes));
}

TEST(Wal, SyncedRecordsSurviveAnyPowerCut) {
  FaultFileSystem disk;
  ASSERT_OK(disk.create_dirs("/data"));
  ASSERT_OK(disk.sync_dir("/"));
  Log log(disk, 2000);
  ASSERT_OK(log.open());
  ASSERT_OK(disk.sync_dir("/data"));
  ASSERT_OK(disk.sync_dir("/"));
  uint64_t synced = 0;
  Random random(7);
  for (uint64_t i = 0; i < 120; i++) {
    ASSERT_OK(log.append(i, random.below(200)));
    if (random.below(3) == 0) {
      ASSERT_OK(log.writer->sync());
      synced = i + 1;
    }
    const auto crashed = disk.after_crash(random.next());
    Log reader(*crashed, 2000);
    ASSERT_OK(reader.open());
    ASSERT_TRUE(reader.read.size() >= synced);
    ASSERT_EQ(reader.read, up_to(reader.read.size()));
    ASSERT_OK(reader.append(reader.read.size()));
  }
}

TEST(Wal, APowerCutWhileFilesAreReleasedLeavesNoGap) {
  for (int64_t cut = 0; cut < 12; cut++) {
    FaultFileSystem disk;
    Log log(disk, 500);
    ASSERT_OK(log.open());
    ASSERT_OK(disk.sync_dir("/"));
    for (uint64_t i = 0; i < 40; i++) ASSERT_OK(log.append(i, 60));
    ASSERT_OK(log.writer->sync());
    disk.fail_after(cut);
    static_cast<void>(log.writer->release(log.writer->position() - 1, false));
    for (uint64_t seed = 0; seed < 20; seed++) {
      const auto crashed = disk.after_crash(seed);
      Log again(*crashed, 500);
      ASSERT_OK(again.open());
      EXPECT_EQ(again.read.back(), 39);
    }
  }
}

TEST(Wal, AFailedSyncIsFinal) {
  FaultFileSystem disk;
  Log log(disk);
  ASSERT_OK(log.open());
  ASSERT_OK(log.append(0));
  disk.fail_syncs(true);
  EXPECT_EQ(log.writer->sync().status().type(), ErrorType::kStore);
  disk.fail_syncs(false);
  EXPECT_EQ(log.append(1).status().type(), ErrorType::kStore);
  EXPECT_EQ(log.writer->sync().status().type(), ErrorType::kStore);
  EXPECT_EQ(log.writer->state().type(), ErrorType::kStore);
}

TEST(Wal, AFullDiskRefusesWithoutHarmAndRecovers) {
  FaultFileSystem disk;
  disk.set_capacity(1 << 20);
  Log log(disk, 1 << 22, 1 << 16);
  ASSERT_OK(log.open());
  uint64_t written = 0;
  while (log.append(written, 10000).ok()) written++;
  EXPECT_GT(written, 10);
  EXPECT_EQ(log.append(written, 10000).status().type(), ErrorType::kClusterBlock);
  EXPECT_EQ(log.writer->state().type(), ErrorType::kClusterBlock);
  // A delete may use the reserved space.
  ASSERT_OK(log.append(written++, 10, true));
  disk.set_capacity(1 << 24);
  ASSERT_OK(log.append(written++, 10000));
  EXPECT_OK(log.writer->state());
  Log again(disk, 1 << 22);
  ASSERT_OK(again.open());
  EXPECT_EQ(again.read, up_to(written));
}

TEST(Wal, CutAtAnyOffsetItEndsWithTheLastWholeFrame) {
  FaultFileSystem disk;
  Log log(disk);
  ASSERT_OK(log.open());
  std::vector<uint64_t> ends = {0};
  for (uint64_t i = 0; i < 5; i++) {
    const auto end = log.append(i);
    ASSERT_OK(end);
    ends.push_back(*end);
  }
  const std::string path = last_file(disk);
  const std::vector<uint8_t> bytes = *disk.read(path);
  const size_t used = kWalHeaderBytes + ends.back();
  for (size_t size = 0; size <= used; size++) {
    FaultFileSystem cut;
    std::vector<uint8_t> written = bytes;
    std::fill(written.begin() + static_cast<std::ptrdiff_t>(size), written.end(), uint8_t{0});
    write_log(cut, path, written);
    Log reader(cut);
    ASSERT_OK(reader.open());
    uint64_t whole = 0;
    while (whole < 5 && kWalHeaderBytes + ends[whole + 1] <= size) whole++;
    ASSERT_EQ(reader.read, up_to(whole));
    // Writing continues after a torn tail in a new file, and both are read.
    ASSERT_OK(reader.append(whole));
    Log after(cut);
    ASSERT_OK(after.open());
    ASSERT_EQ(after.read, up_to(whole + 1));
  }
}

TEST(Wal, AFlippedBitIsNeverReadAsData) {
  FaultFileSystem disk;
  Log log(disk);
  ASSERT_OK(log.open());
  for (uint64_t i = 0; i < 4; i++) {
    ASSERT_OK(log.append(i));
    ASSERT_OK(log.writer->sync());
  }
  const std::string path = last_file(disk);
  const std::vector<uint8_t> bytes = *disk.read(path);
  const size_t used = kWalHeaderBytes + log.writer->position();
  for (size_t at = 0; at < used; at++) {
    std::vector<uint8_t> flipped = bytes;
    flipped[at] ^= static_cast<uint8_t>(1U << (at % 8));
    FaultFileSystem bad;
    write_log(bad, path, flipped);
    Log reader(bad);
    const Status opened = reader.open();
    // Also the last frame: no later frame proves that it was durable, but it is complete.
    EXPECT_EQ(opened.type(), ErrorType::kCorrupt);
    EXPECT_NE(opened.reason().find(path), std::string::npos);
  }
}

TEST(Wal, AFileThatIsMissingAtEitherEndIsMissed) {
  FaultFileSystem disk;
  Log log(disk, 500);
  ASSERT_OK(log.open());
  for (uint64_t i = 0; i < 30; i++) ASSERT_OK(log.append(i, 60));
  ASSERT_OK(log.writer->release(log.writer->position() / 2, false));
  const std::vector<std::string> names = *disk.list(kDir);
  ASSERT_TRUE(names.size() > 2);
  Log whole(disk, 500);
  ASSERT_OK(whole.open());
  for (const std::string& name : {names.front(), names.back()}) {
    const auto cut = disk.after_crash(0);
    ASSERT_OK(cut->remove(std::string(kDir) + "/" + name));
    Log reader(*cut, 500);
    const Status status = reader.open();
    EXPECT_EQ(status.type(), ErrorType::kCorrupt);
    EXPECT_NE(status.reason().find(name), std::string::npos);
  }
}

TEST(Wal, ACutFileIsRefusedAndAnEmptyOneToo) {
  FaultFileSystem disk;
  Log log(disk, 8192);
  ASSERT_OK(log.open());
  ASSERT_OK(log.append(0));
  ASSERT_OK(log.writer->sync());
  const std::string path = last_file(disk);
  const std::vector<uint8_t> bytes = *disk.read(path);
  ASSERT_EQ(bytes.size(), 8192);
  for (const size_t size : {size_t{0}, size_t{64}, size_t{100}, bytes.size() - 1}) {
    write_log(disk, path, Bytes(bytes).first(size));
    Log reader(disk, 8192);
    const Status status = reader.open();
    EXPECT_EQ(status.type(), ErrorType::kCorrupt);
    EXPECT_NE(status.reason().find(path), std::string::npos);
  }
}

TEST(Wal, LateBlocksOfAnUnsyncedTailAreATornTail) {
  FaultFileSystem disk;
  Log log(disk);
  ASSERT_OK(log.open());
  ASSERT_OK(log.append(0));
  ASSERT_OK(log.writer->sync());
  const uint64_t durable = log.writer->position();
  for (uint64_t i = 1; i < 4; i++) ASSERT_OK(log.append(i));
  // The first unsynced frame was lost, the later ones were written.
  const std::string path = last_file(disk);
  for (size_t i = 0; i < kFrameHeaderBytes; i++) {
    const size_t at = kWalHeaderBytes + durable + i;
    disk.damage(path, at, (*disk.read(path))[at]);
  }
  Log reader(disk);
  ASSERT_OK(reader.open());
  EXPECT_EQ(reader.read, up_to(1));
  EXPECT_GT(reader.scan.torn_bytes, 0);
}

TEST(Wal, AMissingFileIsAGapAndRefused) {
  FaultFileSystem disk;
  Log log(disk, 500);
  ASSERT_OK(log.open());
  for (uint64_t i = 0; i < 30; i++) ASSERT_OK(log.append(i, 60));
  const std::vector<std::string> names = *disk.list(kDir);
  ASSERT_OK(disk.remove(std::string(kDir) + "/" + names[2]));
  Log reader(disk, 500);
  EXPECT_EQ(reader.open().type(), ErrorType::kCorrupt);
}

TEST(Wal, AnotherNodesLogIsRefused) {
  FaultFileSystem disk;
  Log log(disk);
  ASSERT_OK(log.open());
  ASSERT_OK(log.append(0));
  const auto scan =
      scan_wal(disk, kDir, kNode + 1, [](const WalRecord&, uint64_t) { return Status(); });
  EXPECT_EQ(scan.status().type(), ErrorType::kCorrupt);
}

}  // namespace quarry::log_damage_test
