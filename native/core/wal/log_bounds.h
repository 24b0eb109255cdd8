// The numbers of the first and last file of a log, stored in a small file next to its folder,
// <folder>.files. Without it, a missing file at either end of the log would leave no gap, and its
// records would be lost unnoticed. Little-endian:
//   u64 magic "QUARRYWB", u32 version 1, u32 first, u32 last (first > last: none),
//   u32 crc32c of everything before
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/file.h"
#include "base/status.h"

namespace quarry {

/// Numbers of files. All files from `first` to `last` must exist. Other files may exist that have
/// no frame yet or are about to be removed.
struct WalBounds {
  uint32_t first = 1;
  uint32_t last = 0;
};

std::string wal_bounds_path(const std::string& dir);
/// Empty when the file does not exist, as for a log of an earlier version. ErrorType::kCorrupt when
/// it is damaged.
Result<std::optional<WalBounds>> read_wal_bounds(FileSystem& files, const std::string& dir);
/// The file is durable when this returns.
Status write_wal_bounds(FileSystem& files, const std::string& dir, const WalBounds& bounds);

}  // namespace quarry
