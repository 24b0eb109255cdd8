// The segment files of one shard folder: seg-<number>.data, .sidx and .ids.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/file.h"
#include "base/status.h"
#include "segment/segment.h"

namespace quarry {

/// Stateless but for the folder; thread-safe as the file system is.
class SegmentFiles {
 public:
  SegmentFiles(FileSystem& files, std::string dir) : files_(files), dir_(std::move(dir)) {}

  /// Writes and syncs the three files and the folder, then opens them mapped. Nothing stays on failure.
  Result<std::shared_ptr<const Segment>> write(uint64_t number, Bytes data, Bytes sidx, Bytes ids);
  Result<std::shared_ptr<const Segment>> open(uint64_t number) const;
  Status remove(uint64_t number);
  /// Removes segment and temporary files that no segment in `numbers` owns.
  Status remove_others(const std::vector<uint64_t>& numbers);
  const std::string& dir() const { return dir_; }

 private:
  std::string path(uint64_t number, const char* kind) const;
  Status write_file(const std::string& path, Bytes bytes);
  Status write_files(uint64_t number, Bytes data, Bytes sidx, Bytes ids);

  FileSystem& files_;
  std::string dir_;
};

}  // namespace quarry
