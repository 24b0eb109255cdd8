// core_tests [--jobs N] [part]...: runs all tests, or those whose "Suite.Name" contains one of the
// parts, in N processes (default 1). The last line is "core_tests: N passed, N failed"; the exit
// status is 0 only if at least one test ran and all passed.
#include <charconv>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include "testing/runner.h"

namespace {

bool is_wanted(const quarry::testing::TestCase& test, const std::vector<std::string_view>& parts) {
  if (parts.empty()) return true;
  const std::string name = quarry::testing::name_of(test);
  for (const std::string_view part : parts) {
    if (name.find(part) != std::string::npos) return true;
  }
  return false;
}

bool read_jobs(std::string_view text, unsigned& jobs) {
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, jobs);
  return error == std::errc() && stop == end && jobs > 0;
}

}  // namespace

int main(int argc, char** argv) {
  unsigned jobs = 1;
  std::vector<std::string_view> parts(argv + 1, argv + argc);
  if (!parts.empty() && parts[0] == "--jobs") {
    if (parts.size() < 2 || !read_jobs(parts[1], jobs)) {
      std::fprintf(stderr,
                   "core_tests: --jobs takes how many processes share the tests, 1 or more\n");
      return 2;
    }
    parts.erase(parts.begin(), parts.begin() + 2);
  }
  std::vector<quarry::testing::TestCase> cases;
  for (const quarry::testing::TestCase& test : quarry::testing::registry()) {
    if (is_wanted(test, parts)) cases.push_back(test);
  }
  const auto [passed, failed] = quarry::testing::run_cases(cases, jobs, stdout);
  std::printf("core_tests: %d passed, %d failed\n", passed, failed);
  return failed == 0 && passed > 0 ? 0 : 1;
}
