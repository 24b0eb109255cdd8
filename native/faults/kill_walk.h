// Ends the process at every operation of one fixed run, one at a time and in pairs: the second end
// is in the start that follows the first.
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
  std::set<std::string> points;  // names of the operations at which a run ended
};

/// `stride` 1: ends at every operation, before, during and after it, by a kill and by a power cut,
/// and combines each of these with every operation of the following start as the second end.
/// Larger: ends at every `stride`-th operation and at the first of each name, in one of the three
/// ways.
WalkReport walk(uint64_t seed, size_t stride);

}  // namespace quarry::faults
