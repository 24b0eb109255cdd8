// Which files a log has, in a small file beside its folder, <folder>.files: a file at either end of the log that is gone
// leaves no gap, and would take what it held with it unnoticed. Little-endian:
//   u64 magic "QUARRYWB", u32 version 1, u32 first, u32 last (first > last: none), u32 crc32c of everything before
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/file.h"
#include "base/status.h"

namespace quarry {

/// Numbers of files. All from `first` to `last` are there; others may be, without a frame, or about to be removed.
struct WalBounds {
  uint32_t first = 1;
  uint32_t last = 0;
};

std::string wal_bounds_path(const std::string& dir);
/// Nothing when there is no such file: a log of an earlier version. ErrorType::kCorrupt when it is damaged.
Result<std::optional<WalBounds>> read_wal_bounds(FileSystem& files, const std::string& dir);
/// Durable when it returns.
Status write_wal_bounds(FileSystem& files, const std::string& dir, const WalBounds& bounds);

}  // namespace quarry
