// Generates the ids of documents that are written without one.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>

#include "base/clock.h"

namespace quarry {

/// Version 7 UUIDs (RFC 9562) in their 36-character form: the time in milliseconds, then a 24-bit
/// counter and a 50-bit number drawn at start, so that ids are unique on a node across restarts and
/// sort by time. Thread-safe.
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
