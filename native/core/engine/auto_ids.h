// Ids of documents that come without one.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>

#include "base/clock.h"

namespace quarry {

/// UUIDs of version 7 (RFC 9562) in their 36-character form: time in ms, then a counter of 24 bits and a number of 50
/// bits drawn at start, so that ids are unique on a node and over its restarts, and follow each other in time.
/// Thread-safe.
class AutoIds {
 public:
  explicit AutoIds(const Clock& clock);
  std::string next();

 private:
  const Clock& clock_;
  const uint64_t salt_;
  std::atomic<uint64_t> counter_{0};
};

}  // namespace quarry
