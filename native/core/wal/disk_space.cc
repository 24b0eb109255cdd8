#include "wal/disk_space.h"

#include <algorithm>
#include <utility>

namespace quarry {
namespace {

std::string mib(uint64_t bytes) {
  const uint64_t tenths = bytes * 10 / (uint64_t{1} << 20);
  return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) + "mb";
}

}  // namespace

DiskSpace::DiskSpace(FileSystem& files, std::string dir, uint64_t reserve_bytes)
    : files_(files), dir_(std::move(dir)), reserve_(reserve_bytes) {
  const Result<uint64_t> disk = files_.disk_bytes(dir_);
  if (disk.ok()) reserve_ = std::min(reserve_, *disk / kLargestShare);
}

Status DiskSpace::admit(uint64_t bytes, uint64_t pending) const {
  QUARRY_ASSIGN_OR_RETURN(const uint64_t free, files_.free_bytes(dir_));
  const uint64_t wanted = reserve_ + pending + bytes;
  if (free >= wanted) return {};
  return {ErrorType::kClusterBlock,
          "the disk of [" + dir_ + "] is full: " + mib(free) +
              " of space are free, this write needs " + mib(wanted) +
              " (reserve and unflushed data included); deletes still work, and writes " +
              "resume by themselves when there is space again"};
}

}  // namespace quarry
