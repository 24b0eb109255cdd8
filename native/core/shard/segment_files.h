// The segment files of one shard folder: seg-<number>.data, .sidx, .ids, and .vec where vectors are coded.
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

/// Stateless but for the folder; thread-safe as the file system is.
class SegmentFiles {
 public:
  SegmentFiles(FileSystem& files, std::string dir) : files_(files), dir_(std::move(dir)) {}

  /// `fill` writes and syncs the files that it asks for; the folder is synced here, and the segment opened mapped.
  /// Nothing stays on failure.
  Result<std::shared_ptr<const Segment>> write(uint64_t number,
                                               const std::function<Status(const FileMaker&)>& fill);
  /// The same for a segment in memory, as it is.
  Result<std::shared_ptr<const Segment>> write(uint64_t number, const Segment& segment);
  /// Every checksum is verified. ErrorType::kCorrupt: damage, a missing file too. Other errors may pass.
  Result<std::shared_ptr<const Segment>> open(uint64_t number) const;
  /// The file of coded vectors. Null where there is none.
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
