// The segment files of one shard folder: seg-<number>.data, .sidx, .ids, and .vec where vectors are coded.
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

  /// Writes and syncs the files and the folder, then opens them mapped. Nothing stays on failure. Every piece is
  /// freed once it is written.
  Result<std::shared_ptr<const Segment>> write(uint64_t number, SegmentPieces pieces);
  /// The same for a segment in memory, as it is.
  Result<std::shared_ptr<const Segment>> write(uint64_t number, const Segment& segment);
  Result<std::shared_ptr<const Segment>> open(uint64_t number) const;
  Status remove(uint64_t number);
  /// Removes segment and temporary files that no segment in `numbers` owns.
  Status remove_others(const std::vector<uint64_t>& numbers);
  const std::string& dir() const { return dir_; }

 private:
  std::string path(uint64_t number, const char* kind) const;
  Status write_file(const std::string& path, Bytes bytes);
  Status write_file(const std::string& path, FilePieces& pieces);
  Status write_files(uint64_t number, SegmentPieces& pieces);
  Status write_files(uint64_t number, const Segment& segment);
  Result<std::shared_ptr<const Segment>> finish(uint64_t number, const Status& written);

  FileSystem& files_;
  std::string dir_;
};

}  // namespace quarry
