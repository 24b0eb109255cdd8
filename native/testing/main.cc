// Runs the tests of core_tests: all, or those whose "Suite.Name" contains one of the arguments.
// The last line is "N passed, N failed"; the exit status is 0 only when something ran and all passed.
#include <cstdio>
#include <exception>
#include <string>

#include "testing/test.h"

namespace {

bool is_wanted(const std::string& name, int argc, char** argv) {
  if (argc < 2) return true;
  for (int i = 1; i < argc; ++i) {
    if (name.find(argv[i]) != std::string::npos) return true;
  }
  return false;
}

void run(const quarry::testing::TestCase& test) {
  try {
    test.body();
  } catch (const std::exception& error) {
    quarry::testing::failures().push_back(std::string("exception: ") + error.what());
  }
}

}  // namespace

int main(int argc, char** argv) {
  int passed = 0;
  int failed = 0;
  for (const quarry::testing::TestCase& test : quarry::testing::registry()) {
    const std::string name = std::string(test.suite) + "." + std::string(test.name);
    if (!is_wanted(name, argc, argv)) continue;
    quarry::testing::failures().clear();
    run(test);
    if (quarry::testing::failures().empty()) {
      ++passed;
      continue;
    }
    ++failed;
    std::printf("FAILED %s\n", name.c_str());
    for (const std::string& message : quarry::testing::failures()) {
      std::printf("  %s\n", message.c_str());
    }
  }
  std::printf("core_tests: %d passed, %d failed\n", passed, failed);
  return failed == 0 && passed > 0 ? 0 : 1;
}
