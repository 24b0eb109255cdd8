// Checks whether the disk has room for another write. A reserve stays free, so that operations in
// memory can still be flushed, and deletes and merges can free space.
#pragma once

#include <cstdint>
#include <string>

#include "base/file.h"
#include "base/status.h"

namespace quarry {

/// Thread-safe. Queries the file system each time, so that a refusal ends when space is freed.
class DiskSpace {
 public:
  /// On a disk smaller than sixteen reserves, the reserve is a sixteenth of the disk.
  static constexpr uint64_t kLargestShare = 16;

  DiskSpace(FileSystem& files, std::string dir, uint64_t reserve_bytes);
  /// ErrorType::kClusterBlock unless `bytes` can be written while the reserve and `pending` bytes,
  /// which flushes will need, stay free.
  Status admit(uint64_t bytes, uint64_t pending) const;
  uint64_t reserve() const { return reserve_; }

 private:
  FileSystem& files_;
  std::string dir_;
  uint64_t reserve_;
};

}  // namespace quarry
