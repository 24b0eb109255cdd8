// Runs test cases, in this process or in several that share the work.
#pragma once

#include <cstdio>
#include <span>
#include <string>

#include "testing/test.h"

namespace quarry::testing {

struct Tally {
  int passed = 0;
  int failed = 0;
};

/// "Suite.Name"
std::string name_of(const TestCase& test);

/// Runs `cases` and writes the name and the messages of each that failed to `out`. With `jobs` above 1 as many processes are forked, 64
/// at most, each of which takes the next case that nobody has; one that ends inside a case has failed it, and one that ends badly after
/// its cases (a leak that the sanitizer found) counts as one more failure. Call it before any thread is started.
Tally run_cases(std::span<const TestCase> cases, unsigned jobs, std::FILE* out);

}  // namespace quarry::testing
