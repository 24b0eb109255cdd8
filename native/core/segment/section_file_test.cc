// The container returns its sections as they were added, and detects every damaged byte.
#include "segment/section_file.h"

#include <algorithm>

#include "testing/fault_file_system.h"
#include "testing/test.h"

namespace quarry::section_file_test {

std::vector<uint8_t> numbered_bytes(size_t count) {
  std::vector<uint8_t> bytes(count);
  for (size_t i = 0; i < count; i++) bytes[i] = static_cast<uint8_t>(i * 7 + 1);
  return bytes;
}

std::vector<uint8_t> sample_file() {
  SectionFileWriter writer(FileKind::kData);
  writer.add(SectionKind::kPostings, 0, numbered_bytes(100));
  writer.add(SectionKind::kPositions, 0, {});
  writer.add(SectionKind::kPostings, 1, numbered_bytes(64));
  writer.add(SectionKind::kSourceBlocks, kNoField, numbered_bytes(3));
  return writer.finish(0x1122334455667788);
}

TEST(SectionFile, FindsWhatWasAdded) {
  const std::vector<uint8_t> bytes = sample_file();
  const auto file = SectionFile::open(bytes, FileKind::kData, true);
  ASSERT_OK(file);
  EXPECT_EQ(file->segment_id(), 0x1122334455667788);
  EXPECT_EQ(file->sections().size(), 3);
  EXPECT_TRUE(as_text(file->find(SectionKind::kPostings, 0)) == as_text(numbered_bytes(100)));
  EXPECT_TRUE(as_text(file->find(SectionKind::kPostings, 1)) == as_text(numbered_bytes(64)));
  EXPECT_TRUE(as_text(file->find(SectionKind::kSourceBlocks, kNoField)) ==
              as_text(numbered_bytes(3)));
  EXPECT_TRUE(file->find(SectionKind::kPositions, 0).empty());
  EXPECT_TRUE(file->find(SectionKind::kColumn, 0).empty());
  EXPECT_EQ((file->find(SectionKind::kPostings, 1).data() - bytes.data()) % 64, 0);
}

FileMaker maker(testing::FaultFileSystem& disk) {
  return [&disk](FileKind) { return disk.create("/file"); };
}

TEST(SectionFile, IsTheSameOnDisk) {
  const std::vector<uint8_t> large = numbered_bytes(700'000);
  SectionFileWriter memory(FileKind::kData);
  testing::FaultFileSystem disk;
  SectionFileWriter file(FileKind::kData, maker(disk));
  for (SectionFileWriter* writer : {&memory, &file}) {
    writer->add(SectionKind::kNorms, 0, numbered_bytes(100));
    for (size_t at = 0; at < large.size(); at += 90'001) {
      const size_t size = std::min<size_t>(90'001, large.size() - at);
      writer->append(SectionKind::kVectorRows, 1, Bytes(large).subspan(at, size));
    }
    writer->add(SectionKind::kVectorDocs, 1, {});
    writer->add(SectionKind::kSourceBlocks, kNoField, numbered_bytes(300'000));
  }
  EXPECT_EQ(memory.digest(), file.digest());
  ASSERT_OK(file.finish_file(7));
  const std::vector<uint8_t> bytes = memory.finish(7);
  const auto read = disk.read("/file");
  ASSERT_OK(read);
  EXPECT_TRUE(*read == bytes);
  const auto opened = SectionFile::open(bytes, FileKind::kData, true);
  ASSERT_OK(opened);
  EXPECT_TRUE(as_text(opened->find(SectionKind::kVectorRows, 1)) == as_text(large));
}

TEST(SectionFile, AFileThatFailsIsReportedOnceAllIsWritten) {
  for (int64_t operations = 0; operations < 5; operations++) {
    testing::FaultFileSystem disk;
    disk.fail_after(operations);
    SectionFileWriter file(FileKind::kData, maker(disk));
    file.add(SectionKind::kNorms, 0, numbered_bytes(300'000));
    file.add(SectionKind::kNorms, 1, numbered_bytes(300'000));
    EXPECT_FALSE(file.finish_file(7).ok());
  }
}

TEST(SectionFile, HoldsNoSectionAtAll) {
  SectionFileWriter writer(FileKind::kIds);
  const std::vector<uint8_t> bytes = writer.finish(1);
  EXPECT_OK(SectionFile::open(bytes, FileKind::kIds, true));
}

TEST(SectionFile, NamesFileSectionAndOffset) {
  std::vector<uint8_t> bytes = sample_file();
  bytes[64 + 5] ^= 1;
  const auto file = SectionFile::open(bytes, FileKind::kData, true);
  ASSERT_FALSE(file.ok());
  EXPECT_TRUE(file.status().type() == ErrorType::kCorrupt);
  EXPECT_EQ(file.status().reason(),
            "segment file [data], section [postings of field 0], offset 64: wrong checksum");
}

TEST(SectionFile, RefusesAnotherKindOfFile) {
  EXPECT_FALSE(SectionFile::open(sample_file(), FileKind::kSidx, false).ok());
}

TEST(SectionFile, RefusesEveryTruncationAndExtension) {
  std::vector<uint8_t> bytes = sample_file();
  for (size_t size = 0; size < bytes.size(); size++) {
    EXPECT_FALSE(SectionFile::open(Bytes(bytes).first(size), FileKind::kData, false).ok());
  }
  bytes.push_back(0);
  EXPECT_FALSE(SectionFile::open(bytes, FileKind::kData, false).ok());
}

TEST(SectionFile, SeesEveryFlippedBit) {
  const std::vector<uint8_t> bytes = sample_file();
  for (size_t bit = 0; bit < bytes.size() * 8; bit++) {
    std::vector<uint8_t> flipped = bytes;
    flipped[bit / 8] = static_cast<uint8_t>(flipped[bit / 8] ^ (1U << (bit % 8)));
    EXPECT_FALSE(SectionFile::open(flipped, FileKind::kData, true).ok());
    static_cast<void>(SectionFile::open(flipped, FileKind::kData, false));
  }
}

TEST(SectionFile, DigestDependsOnContent) {
  SectionFileWriter a(FileKind::kData);
  SectionFileWriter b(FileKind::kData);
  a.add(SectionKind::kNorms, 0, numbered_bytes(8));
  b.add(SectionKind::kNorms, 1, numbered_bytes(8));
  EXPECT_NE(a.digest(), b.digest());
}

}  // namespace quarry::section_file_test
