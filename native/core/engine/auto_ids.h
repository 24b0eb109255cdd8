// Ids of documents that come without one.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>

#include "base/clock.h"

namespace quarry {

/// 20 URL-safe characters from 15 bytes: time in ms (6), a counter (3) and a number drawn at start (6), so that ids
/// are unique on a node and over its restarts, and ids made together share a prefix. Thread-safe.
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
