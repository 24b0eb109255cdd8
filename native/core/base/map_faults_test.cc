// Files that are truncated while they are mapped. The pages are really gone: without the handler
// the process would end here.
#include "base/map_faults.h"

#include <unistd.h>

#include <atomic>
#include <thread>
#include <vector>

#include "base/file.h"
#include "testing/temp_dir.h"
#include "testing/test.h"

namespace quarry::map_faults_test {

constexpr size_t kPage = 4096;

std::shared_ptr<ByteSource> map_of(const testing::TempDir& dir, const std::string& name,
                                   size_t pages) {
  const auto files = make_posix_file_system();
  const std::vector<uint8_t> bytes(pages * kPage, 7);
  auto file = *files->create(dir.file(name));
  EXPECT_OK(file->append(bytes));
  EXPECT_OK(file->close());
  return *files->map(dir.file(name));
}

/// Reads `source` to its end, or to where it was truncated.
uint64_t sum_of(const ByteSource& source) {
  uint64_t sum = 0;
  for (const uint8_t byte : source.bytes()) sum += byte;
  return sum;
}

TEST(MapFaults, ReadsTruncatedPagesAsZerosAndReportsThem) {
  ASSERT_OK(catch_map_faults());
  const testing::TempDir dir;
  const auto source = map_of(dir, "cut", 8);
  const auto other = map_of(dir, "whole", 8);
  EXPECT_OK(sound_map(source->bytes()));
  const uint64_t before = map_fault_count();
  ASSERT_EQ(truncate(dir.file("cut").c_str(), 3 * kPage), 0);
  EXPECT_OK(sound_map(source->bytes()));  // not read yet
  EXPECT_EQ(sum_of(*source), uint64_t{3 * kPage * 7});
  EXPECT_EQ(sum_of(*source), uint64_t{3 * kPage * 7});
  EXPECT_EQ(map_fault_count(), before + 1);
  const Status sound = sound_map(source->bytes());
  EXPECT_EQ(sound.type(), ErrorType::kCorrupt);
  EXPECT_EQ(sound.reason(),
            "[" + dir.file("cut") +
                "], offset 12288: the file was cut from 32768 to 12288 bytes while it was in use");
  EXPECT_OK(sound_map(other->bytes()));
  EXPECT_EQ(sum_of(*other), uint64_t{8 * kPage * 7});
}

TEST(MapFaults, PagesBeforeTheFirstFaultAreReadAsTheyAre) {
  ASSERT_OK(catch_map_faults());
  const testing::TempDir dir;
  const auto source = map_of(dir, "cut", 8);
  ASSERT_EQ(truncate(dir.file("cut").c_str(), kPage), 0);
  EXPECT_EQ(source->bytes()[6 * kPage], 0);  // reads the last page first
  EXPECT_EQ(source->bytes()[2 * kPage], 0);
  EXPECT_EQ(source->bytes()[kPage - 1], 7);
  EXPECT_TRUE(sound_map(source->bytes()).reason().find("offset 4096:") != std::string::npos);
}

TEST(MapFaults, AMappingThatIsMadeAgainIsSound) {
  ASSERT_OK(catch_map_faults());
  const testing::TempDir dir;
  for (int round = 0; round < 50; round++) {
    const auto source = map_of(dir, "file", 2);
    EXPECT_OK(sound_map(source->bytes()));
    ASSERT_EQ(truncate(dir.file("file").c_str(), 0), 0);
    EXPECT_EQ(sum_of(*source), 0u);
    EXPECT_TRUE(!sound_map(source->bytes()).ok());
  }
}

TEST(MapFaults, ManyThreadsMayFaultAtOnceWhileMappingsComeAndGo) {
  ASSERT_OK(catch_map_faults());
  const testing::TempDir dir;
  const auto source = map_of(dir, "cut", 64);
  ASSERT_EQ(truncate(dir.file("cut").c_str(), 0), 0);
  std::atomic<int> failures{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; t++) {
    threads.emplace_back([&, t] {
      for (int page = 0; page < 64; page++) {
        const int at = t % 2 == 0 ? page : 63 - page;
        failures += source->bytes()[static_cast<size_t>(at) * kPage] != 0;
        failures += sound_map(source->bytes()).ok();
        const auto mine = map_of(dir, "t" + std::to_string(t), 1);
        failures += sum_of(*mine) != kPage * 7;
        failures += !sound_map(mine->bytes()).ok();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(failures.load(), 0);
}

}  // namespace quarry::map_faults_test
