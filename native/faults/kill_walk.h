// Ends the process at every operation of one fixed run, one at a time and in pairs: the second end is in the start that
// follows the first.
#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>

namespace quarry::faults {

struct WalkReport {
  std::string finding;  // empty: none
  size_t singles = 0;
  size_t pairs = 0;
  std::set<std::string> points;  // names of the operations it ended at
};

/// `stride` 1: at every operation, before, in the middle and after it, killed and without power, and each of these with
/// every operation of the start as the second end. Larger: at every so many of them and the first of each name, in one of
/// the three ways.
WalkReport walk(uint64_t seed, size_t stride);

}  // namespace quarry::faults
