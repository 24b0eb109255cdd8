// Small JSON files that must not change unnoticed (index metadata, node identity): the JSON text, a newline,
// and eight hex digits of its CRC-32C.
#pragma once

#include <string>
#include <string_view>

#include "base/file.h"
#include "base/status.h"
#include "json/value.h"

namespace quarry {

/// Replaces the file atomically and durably.
Status write_checked_json(FileSystem& files, const std::string& path, std::string_view json);
/// ErrorType::kCorrupt names the file when the checksum or the JSON is wrong.
Result<JsonValue> read_checked_json(FileSystem& files, const std::string& path);

}  // namespace quarry
