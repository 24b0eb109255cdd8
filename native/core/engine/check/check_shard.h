// The offline check of one shard folder: the manifest, the files that it names, and conditions
// across segments.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "base/file.h"
#include "engine/check/findings.h"

namespace quarry {

struct ShardPlace {
  std::string dir;
  std::string index;  // name
  uint32_t shard = 0;
  uint32_t shards = 1;  // of the index
  bool must_have_manifest = false;
};

/// Returns the sequence number below which every operation is in segments; 0 when the manifest
/// cannot be read.
uint64_t check_shard(FileSystem& files, const ShardPlace& place,
                     const std::function<void(const std::string&)>& before_file,
                     Findings& findings);

}  // namespace quarry
