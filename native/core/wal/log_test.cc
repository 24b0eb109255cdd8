// The log: appended records are read again; files are truncated, released and counted; writers and
// syncs run concurrently.
#include <string>
#include <thread>
#include <vector>

#include "testing/fault_file_system.h"
#include "testing/test_log.h"

namespace quarry::log_test {

using testing::FaultFileSystem;
using testing::kDir;
using testing::kNode;
using testing::Log;
using testing::up_to;

TEST(Wal, RecordsComeBackInOrderWithTheirContent) {
  FaultFileSystem disk;
  Log log(disk);
  ASSERT_OK(log.open());
  WalFrame frame;
  WalRecord written{WalRecordType::kIndex, 3, 2, 41, 7, 1, "the id", "r", "{\"a\":1}", "", {}};
  frame.add(written);
  written.type = WalRecordType::kDelete;
  written.seq_no = 42;
  frame.add(written);
  written.type = WalRecordType::kMapping;
  written.body = "{\"properties\":{}}";
  frame.add(written);
  written.type = WalRecordType::kIndexWithVectors;
  written.vectors = "of texts";
  frame.add(written);
  ASSERT_OK(log.writer->append(frame, false));
  std::vector<WalRecord> records;
  const auto scan = scan_wal(disk, kDir, kNode, [&](const WalRecord& record, uint64_t) {
    records.push_back(record);
    return Status();
  });
  ASSERT_OK(scan);
  ASSERT_EQ(records.size(), 4);
  EXPECT_EQ(records[0].index, 3);
  EXPECT_EQ(records[0].shard, 2);
  EXPECT_EQ(records[0].seq_no, 41);
  EXPECT_EQ(records[0].version, 7);
  EXPECT_EQ(records[0].id, "the id");
  EXPECT_EQ(records[0].routing, "r");
  EXPECT_EQ(records[0].body, "{\"a\":1}");
  EXPECT_EQ(records[1].type, WalRecordType::kDelete);
  EXPECT_EQ(records[1].id, "the id");
  EXPECT_EQ(records[1].body, "");
  EXPECT_EQ(records[0].vectors, "");
  EXPECT_EQ(records[2].body, "{\"properties\":{}}");
  EXPECT_EQ(records[3].type, WalRecordType::kIndexWithVectors);
  EXPECT_EQ(records[3].routing, "r");
  EXPECT_EQ(records[3].body, "{\"properties\":{}}");
  EXPECT_EQ(records[3].vectors, "of texts");
  ByteReader again(records[0].encoded);
  WalRecord decoded;
  EXPECT_TRUE(decode_record(again, decoded));
  EXPECT_EQ(decoded.seq_no, 41);
}

TEST(Wal, FilesAreCutAndReadAsOneLog) {
  FaultFileSystem disk;
  Log log(disk, 1000);
  ASSERT_OK(log.open());
  for (uint64_t i = 0; i < 100; i++) ASSERT_OK(log.append(i, 60));
  EXPECT_GT(disk.list(kDir)->size(), 10);
  EXPECT_EQ(log.writer->usage().files, disk.list(kDir)->size());
  Log again(disk, 1000);
  ASSERT_OK(again.open());
  EXPECT_EQ(again.read, up_to(100));
  EXPECT_EQ(again.writer->position(), log.writer->position());
}

TEST(Wal, AFrameLargerThanAFileHasOneToItself) {
  FaultFileSystem disk;
  Log log(disk, 1000);
  ASSERT_OK(log.open());
  ASSERT_OK(log.append(0));
  ASSERT_OK(log.append(1, 5000));
  ASSERT_OK(log.append(2));
  EXPECT_EQ(disk.list(kDir)->size(), 3);
  Log again(disk, 1000);
  ASSERT_OK(again.open());
  EXPECT_EQ(again.read, up_to(3));
}

TEST(Wal, ReleasedFilesMayBeMissing) {
  FaultFileSystem disk;
  Log log(disk);
  ASSERT_OK(log.open());
  ASSERT_OK(log.append(0));
  ASSERT_OK(log.writer->release(log.writer->position(), true));
  EXPECT_EQ(disk.list(kDir)->size(), 0);
  Log again(disk);
  ASSERT_OK(again.open());
  EXPECT_EQ(again.read, up_to(0));
  ASSERT_OK(again.append(1));
  Log after(disk);
  ASSERT_OK(after.open());
  EXPECT_EQ(after.read, std::vector<uint64_t>{1});
}

TEST(Wal, ReleaseRemovesWholeFilesBelow) {
  FaultFileSystem disk;
  Log log(disk, 1000);
  ASSERT_OK(log.open());
  uint64_t middle = 0;
  for (uint64_t i = 0; i < 60; i++) {
    if (i == 30) middle = log.writer->position();
    ASSERT_OK(log.append(i, 60));
  }
  const size_t before = disk.list(kDir)->size();
  ASSERT_OK(log.writer->release(middle, false));
  EXPECT_LT(disk.list(kDir)->size(), before);
  Log again(disk, 1000);
  ASSERT_OK(again.open());
  EXPECT_EQ(again.read.back(), 59);
  EXPECT_LE(again.read.front(), 30);
  EXPECT_GT(again.read.front(), 0);
}

TEST(Wal, AWhollyReleasedLargeFileIsGivenBack) {
  FaultFileSystem disk;
  Log log(disk, uint64_t{64} << 20);
  ASSERT_OK(log.open());
  ASSERT_OK(log.append(0, 2 << 20));
  ASSERT_OK(log.writer->release(log.writer->position(), false));
  EXPECT_EQ(disk.list(kDir)->size(), 0);
  ASSERT_OK(log.append(1));
  Log again(disk);
  ASSERT_OK(again.open());
  EXPECT_EQ(again.read, std::vector<uint64_t>{1});
}

TEST(Wal, WritersAndSyncsRunTogether) {
  FaultFileSystem disk;
  Log log(disk, 4000);
  ASSERT_OK(log.open());
  std::atomic<uint64_t> next{0};
  std::atomic<int> failures{0};
  const auto writer = [&] {
    for (int i = 0; i < 200; i++) {
      const auto end = log.append(next.fetch_add(1), 40);
      const auto durable = log.writer->sync();
      if (!end.ok() || !durable.ok() || durable->position < *end) failures++;
    }
  };
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; i++) threads.emplace_back(writer);
  threads.emplace_back([&] {
    for (int i = 0; i < 50; i++) {
      if (!log.writer->release(0, false).ok()) failures++;
      static_cast<void>(log.writer->usage());
    }
  });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(failures.load(), 0);
  Log again(disk);
  ASSERT_OK(again.open());
  EXPECT_EQ(again.read.size(), 800);
}

}  // namespace quarry::log_test
