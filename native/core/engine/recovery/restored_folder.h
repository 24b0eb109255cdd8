// Checks the folder of an index that was copied back from elsewhere, before the index is used:
// every file is present, is the expected one, and has correct checksums.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/file.h"
#include "base/status.h"
#include "json/value.h"

namespace quarry {

/// The files of one shard: name to key (segment/file_key.h), without the manifest.
using ExpectedFiles = std::map<std::string, std::string, std::less<>>;

/// Reads [{"shard", "name", "key"}] for an index of `shards` shards; illegal_argument_exception for
/// anything else.
Result<std::vector<ExpectedFiles>> read_expected_files(const JsonValue* files, uint32_t shards);

/// ErrorType::kCorrupt names the file, as [shard/name], and its fault. Makes the directory entries
/// durable; the content of the files must be durable already.
Status check_restored_shard(FileSystem& files, const std::string& index_dir, uint32_t shard,
                            const ExpectedFiles& expected);

}  // namespace quarry
