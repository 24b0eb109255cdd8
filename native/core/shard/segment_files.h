// The segment files of one shard folder: seg-<number>.data, .sidx, .ids, and .vec when vectors are
// coded.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/file.h"
#include "base/status.h"
#include "segment/section_file.h"
#include "segment/segment.h"

namespace quarry {

/// `seg-7.data`
std::string segment_file_name(uint64_t number, FileKind kind);

/// Has no state except the folder; as thread-safe as the file system.
class SegmentFiles {
 public:
  SegmentFiles(FileSystem& files, std::string dir) : files_(files), dir_(std::move(dir)) {}

  /// `fill` writes and syncs the files that it creates; this call syncs the folder and opens the
  /// segment mapped. On failure no file remains.
  Result<std::shared_ptr<const Segment>> write(uint64_t number,
                                               const std::function<Status(const FileMaker&)>& fill);
  /// Writes a segment in memory unchanged.
  Result<std::shared_ptr<const Segment>> write(uint64_t number, const Segment& segment);
  /// Verifies every checksum. ErrorType::kCorrupt: damage or a missing file. Other errors may be
  /// temporary.
  Result<std::shared_ptr<const Segment>> open(uint64_t number) const;
  /// The file of coded vectors; null when it does not exist or cannot be read.
  std::shared_ptr<ByteSource> map_vectors(uint64_t number) const;
  Status remove(uint64_t number);
  /// Removes segment and temporary files that no segment in `numbers` owns.
  Status remove_others(const std::vector<uint64_t>& numbers);
  const std::string& dir() const { return dir_; }

 private:
  std::string path(uint64_t number, const char* kind) const;
  Result<std::shared_ptr<ByteSource>> map_part(uint64_t number, const char* kind) const;
  Status write_file(const std::string& path, Bytes bytes);
  Status write_files(uint64_t number, const Segment& segment);
  Result<std::shared_ptr<const Segment>> finish(uint64_t number, const Status& written);

  FileSystem& files_;
  std::string dir_;
};

}  // namespace quarry
