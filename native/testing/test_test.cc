// The harness tested by itself: a failed expectation is recorded with both values, integers compare
// by value whatever their signs; several processes share the work.
#include "testing/test.h"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "testing/runner.h"
#include "testing/temp_dir.h"

namespace quarry::testing::test_test {

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

void passes() {}
void fails() { EXPECT_EQ(1, 2); }
void ends_the_process() { std::_Exit(3); }

std::string read_back(std::FILE* file) {
  std::string text(4096, '\0');
  std::rewind(file);
  text.resize(std::fread(text.data(), 1, text.size(), file));
  return text;
}

TEST(Harness, SharesCasesBetweenProcesses) {
  std::vector<TestCase> cases(40, TestCase{"Some", "Passes", &passes});
  cases[7] = {"Some", "Fails", &fails};
  cases[20] = {"Some", "EndsTheProcess", &ends_the_process};
  std::FILE* out = std::tmpfile();
  ASSERT_TRUE(out != nullptr);
  const TestCounts counts = run_cases(cases, 3, out);
  EXPECT_EQ(counts.passed, 38);
  EXPECT_EQ(counts.failed, 2);
  const std::string said = read_back(out);
  std::fclose(out);
  EXPECT_TRUE(said.find("FAILED Some.Fails\n") != std::string::npos);
  EXPECT_TRUE(said.find("1 and 2") != std::string::npos);
  EXPECT_TRUE(said.find("FAILED Some.EndsTheProcess\n  the process ended with status 3") !=
              std::string::npos);
}

}  // namespace quarry::testing::test_test
