// The folder of an index that was copied back from elsewhere, before anybody may use it: every file is there, is the one
// that was asked for, and every checksum in it is right.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/file.h"
#include "base/status.h"
#include "json/value.h"

namespace quarry {

/// Of one shard: file name to its key (segment/file_key.h), the manifest left out.
using ExpectedFiles = std::map<std::string, std::string, std::less<>>;

/// Of `shards` shards, from [{"shard", "name", "key"}]; illegal_argument_exception for anything else.
Result<std::vector<ExpectedFiles>> read_expected_files(const JsonValue* files, uint32_t shards);

/// ErrorType::kCorrupt names the file, as [shard/name], and what is wrong with it. Makes the names in the folder durable;
/// the content must be so already.
Status check_restored_shard(FileSystem& files, const std::string& index_dir, uint32_t shard,
                            const ExpectedFiles& expected);

}  // namespace quarry
