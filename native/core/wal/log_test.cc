// The log: what was appended comes back; a torn tail ends it; damage where it was durable is refused.
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "testing/fault_file_system.h"
#include "testing/test.h"
#include "wal/log_reader.h"
#include "wal/log_writer.h"

namespace quarry {
namespace {

using testing::FaultFileSystem;

constexpr uint64_t kNode = 77;
constexpr const char* kDir = "/data/wal";

/// One log on one disk; reopening starts where the scan ended.
struct Log {
  explicit Log(FileSystem& disk, uint64_t file_bytes = 1 << 16, uint64_t reserve = 0)
      : files(disk), space(disk, "/data", reserve) {
    options = {&files, kDir, kNode, file_bytes, &space, &owed};
  }
  Status open() {
    read.clear();
    Result<WalScan> found = scan_wal(files, kDir, kNode, [this](const WalRecord& record, uint64_t) {
      read.push_back(record.seq_no);
      bodies.push_back(std::string(record.body));
      return Status();
    });
    if (!found.ok()) return found.status();
    scan = *found;
    QUARRY_ASSIGN_OR_RETURN(writer, WalWriter::start(options, scan));
    return {};
  }
  Result<uint64_t> append(uint64_t seq_no, size_t body_bytes = 10, bool urgent = false) {
    const std::string body(body_bytes, static_cast<char>('a' + seq_no % 26));
    WalFrame frame;
    WalRecord record;
    record.index = 1;
    record.seq_no = seq_no;
    record.version = 1;
    record.id = "id";
    record.body = body;
    frame.add(record);
    return writer->append(frame, urgent);
  }

  FileSystem& files;
  DiskSpace space;
  std::atomic<uint64_t> owed{0};
  WalOptions options;
  WalScan scan;
  std::vector<uint64_t> read;
  std::vector<std::string> bodies;
  std::unique_ptr<WalWriter> writer;
};

std::vector<uint64_t> up_to(uint64_t count) {
  std::vector<uint64_t> numbers;
  for (uint64_t i = 0; i < count; i++) numbers.push_back(i);
  return numbers;
}

std::string last_file(FileSystem& files) {
  return std::string(kDir) + "/" + files.list(kDir)->back();
}

/// A disk whose only log file holds the first `size` bytes of `bytes`.
void write_log(FaultFileSystem& disk, const std::string& path, Bytes bytes) {
  EXPECT_OK(disk.create_dirs(kDir));
  auto file = disk.create(path);
  ASSERT_OK(file);
  EXPECT_OK((*file)->append(bytes));
}

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
    // Writing goes on behind a torn tail, in a new file, and both are read.
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
    // The last frame, too: nothing behind it says that it was durable, but it lacks nothing.
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

TEST(Wal, AllFilesLetGoOfAreNotMissed) {
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
  // The first unsynced frame never reached the disk, the ones behind it did.
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
  const auto scan = scan_wal(disk, kDir, kNode + 1, [](const WalRecord&, uint64_t) { return Status(); });
  EXPECT_EQ(scan.status().type(), ErrorType::kCorrupt);
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
  // A delete may use what is kept free.
  ASSERT_OK(log.append(written++, 10, true));
  disk.set_capacity(1 << 24);
  ASSERT_OK(log.append(written++, 10000));
  EXPECT_OK(log.writer->state());
  Log again(disk, 1 << 22);
  ASSERT_OK(again.open());
  EXPECT_EQ(again.read, up_to(written));
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

}  // namespace
}  // namespace quarry
