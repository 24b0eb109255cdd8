// The offline check of one index folder: metadata, manifests, every segment, and their consistency.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/file.h"
#include "engine/check/findings.h"

namespace quarry {

/// The values that the rest of the data folder is compared with.
struct CheckedIndex {
  uint32_t number = 0;
  std::string name;
  uint32_t shards = 0;
  std::vector<uint64_t> covered;  // by shard: operations below are in its segments
};

/// `dir` is the folder, named by `number`. `before_file` is called with each file before it is
/// read.
CheckedIndex check_index(FileSystem& files, const std::string& dir, uint32_t number,
                         const std::function<void(const std::string&)>& before_file,
                         Findings& findings);

}  // namespace quarry
