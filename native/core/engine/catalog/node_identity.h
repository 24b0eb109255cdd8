// What a data folder knows of itself: the node's uuid, and which index numbers have been given out.
#pragma once

#include <cstdint>
#include <string>

#include "base/file.h"
#include "base/status.h"

namespace quarry {

/// Not thread-safe.
class NodeIdentity {
 public:
  /// Reads data/NODE or its copy, or makes a new identity for an empty folder. Both damaged, or gone while there is data:
  /// ErrorType::kCorrupt.
  static Result<NodeIdentity> open(FileSystem& files, const std::string& data_dir);
  const std::string& uuid() const { return uuid_; }
  /// What was wrong with NODE, if its copy had to be used; it has been written again then.
  const Status& damage() const { return damage_; }
  /// A number no index of this folder ever had. Numbers are set aside in blocks, so that most calls write nothing;
  /// a restart skips the rest of a block.
  Result<uint32_t> take_index_number();

 private:
  Status save(uint32_t next_block);

  FileSystem* files_ = nullptr;
  std::string path_;
  std::string uuid_;
  Status damage_;
  uint32_t next_ = 1;
  uint32_t block_end_ = 1;  // what the file says
};

}  // namespace quarry
