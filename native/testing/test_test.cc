// The harness tested by itself: a failed expectation is recorded with both values, integers compare
// by value whatever their signs.
#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "testing/temp_dir.h"
#include "testing/test.h"

namespace quarry::testing {
namespace {

/// Takes what the test recorded so far, so that an intended failure does not count.
std::vector<std::string> take_failures() { return std::exchange(failures(), {}); }

TEST(Harness, RecordsBothValuesOfAFailedComparison) {
  EXPECT_EQ(1 + 1, 3);
  const std::vector<std::string> seen = take_failures();
  ASSERT_EQ(seen.size(), 1);
  EXPECT_TRUE(seen[0].find("2 and 3") != std::string::npos);
}

TEST(Harness, ComparesIntegersByValue) {
  EXPECT_EQ(std::vector<int>{}.size(), 0);
  EXPECT_LT(-1, uint64_t{0});
  EXPECT_GT(uint32_t{0}, -1);
  EXPECT_NE(-1, UINT32_MAX);
}

TEST(Harness, ReportsTheReasonOfAStatus) {
  EXPECT_OK(Status());
  EXPECT_OK(Result<int>(7));
  EXPECT_OK(Status(static_cast<ErrorType>(1), "disk full"));
  const std::vector<std::string> seen = take_failures();
  ASSERT_EQ(seen.size(), 1);
  EXPECT_TRUE(seen[0].find("disk full") != std::string::npos);
}

TEST(Harness, RemovesItsTempDir) {
  std::string path;
  {
    const TempDir dir;
    path = dir.path();
    std::filesystem::create_directory(dir.file("inner"));
    EXPECT_TRUE(std::filesystem::exists(path));
  }
  EXPECT_FALSE(std::filesystem::exists(path));
}

}  // namespace
}  // namespace quarry::testing
