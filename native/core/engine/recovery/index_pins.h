// Indexes pinned as they were at one moment, so that they can be copied while writes continue:
// their files as bytes, including those of in-memory segments. A pin keeps segments readable and
// their disk space occupied; it blocks no other call.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "base/coding.h"
#include "base/status.h"
#include "segment/section_file.h"
#include "shard/shard_pin.h"

namespace quarry {

struct PinnedFile {
  uint32_t shard = 0;
  std::string name;  // relative to the folder of its shard
  std::string key;   // identifies the content (segment/file_key.h); empty for a MANIFEST
  Bytes bytes;
  bool mapped = false;
};

/// Immutable.
class IndexPin {
 public:
  /// `description`: of the index at that moment, as printed by Engine::describe().
  static Result<std::shared_ptr<const IndexPin>> make(std::string description,
                                                      std::vector<ShardPin> shards);
  const std::vector<PinnedFile>& files() const { return files_; }
  /// {"pin", "documents", "description", "files": [{"shard", "name", "key", "bytes"}]}
  std::string to_json(uint32_t pin) const;
  /// To be checked after reading (base/map_faults.h).
  Status sound() const;

 private:
  Status add_segment(uint32_t shard, uint64_t number, const Segment& segment,
                     const ByteSource* vectors);
  Status add_file(uint32_t shard, const std::string& name, FileKind kind, Bytes bytes, bool mapped);

  std::string description_;
  uint64_t documents_ = 0;
  std::vector<ShardPin> shards_;                 // own the bytes of the files
  std::vector<std::vector<uint8_t>> manifests_;  // own the bytes of the MANIFEST files
  std::vector<PinnedFile> files_;
};

/// The pins of a node. Thread-safe.
class IndexPins {
 public:
  uint32_t add(std::shared_ptr<const IndexPin> pin);
  /// Null when there is no pin with this number (any more).
  std::shared_ptr<const IndexPin> find(uint32_t number) const;
  void erase(uint32_t number);

 private:
  mutable std::mutex mutex_;
  uint32_t next_ = 1;
  std::map<uint32_t, std::shared_ptr<const IndexPin>> by_number_;
};

}  // namespace quarry
