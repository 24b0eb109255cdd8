// Runs test cases in this process or in several processes.
#pragma once

#include <cstdio>
#include <span>
#include <string>

#include "testing/test.h"

namespace quarry::testing {

struct TestCounts {
  int passed = 0;
  int failed = 0;
};

/// The name "Suite.Name".
std::string name_of(const TestCase& test);

/// Runs `cases` and writes the name and the messages of each failed case to `out`. With `jobs`
/// above 1, as many processes are forked (at most 64), each of which takes the next case that is
/// not taken. A process that ends inside a case fails it, and one that ends with an error after its
/// cases (a leak found by the sanitizer) counts as one more failure. Must be called before any
/// thread is started.
TestCounts run_cases(std::span<const TestCase> cases, unsigned jobs, std::FILE* out);

}  // namespace quarry::testing
