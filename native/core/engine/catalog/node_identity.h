// The identity of a data folder: the node's uuid, and which index numbers have been assigned.
#pragma once

#include <cstdint>
#include <string>

#include "base/file.h"
#include "base/status.h"

namespace quarry {

/// Not thread-safe.
class NodeIdentity {
 public:
  /// Reads data/NODE or its copy, or creates a new identity for an empty folder.
  /// ErrorType::kCorrupt when both are damaged, or missing although the folder holds data.
  static Result<NodeIdentity> open(FileSystem& files, const std::string& data_dir);
  const std::string& uuid() const { return uuid_; }
  /// The damage of NODE when its copy had to be used; NODE has been rewritten in that case.
  const Status& damage() const { return damage_; }
  /// A number that no index of this folder ever had. Numbers are reserved in blocks, so that most
  /// calls write nothing; a restart skips the rest of a block.
  Result<uint32_t> take_index_number();

 private:
  Status save(uint32_t next_block);

  FileSystem* files_ = nullptr;
  std::string path_;
  std::string uuid_;
  Status damage_;
  uint32_t next_ = 1;
  uint32_t block_end_ = 1;  // as stored in the file
};

}  // namespace quarry
