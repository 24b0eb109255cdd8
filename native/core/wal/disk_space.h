// Whether the disk has room for another write: a reserve stays free, so that what is in memory can
// still be written down, and deletes and merges can make room again.
#pragma once

#include <cstdint>
#include <string>

#include "base/file.h"
#include "base/status.h"

namespace quarry {

/// Thread-safe: asks the file system anew each time, so that a refusal ends when space comes back.
class DiskSpace {
 public:
  /// A disk smaller than sixteen reserves keeps a sixteenth of itself free instead.
  static constexpr uint64_t kLargestShare = 16;

  DiskSpace(FileSystem& files, std::string dir, uint64_t reserve_bytes);
  /// ErrorType::kClusterBlock unless `bytes` can be written and the reserve plus `pending` bytes, which
  /// memory still owes the disk, stay free.
  Status admit(uint64_t bytes, uint64_t pending) const;
  uint64_t reserve() const { return reserve_; }

 private:
  FileSystem& files_;
  std::string dir_;
  uint64_t reserve_;
};

}  // namespace quarry
