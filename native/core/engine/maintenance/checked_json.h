// Small JSON files protected by a checksum (index metadata, node identity): the JSON text, a
// newline, and eight hexadecimal digits of its CRC-32C. Each file has a copy next to it,
// `<name>.copy`, which is written first and is therefore never older than the file. The copy exists
// because all data that depends on the file would be lost with it.
#pragma once

#include <string>
#include <string_view>

#include "base/file.h"
#include "base/status.h"
#include "json/value.h"

namespace quarry {

/// Replaces the copy and then the file, each atomically and durably.
Status write_checked_json(FileSystem& files, const std::string& path, std::string_view json);
/// The bytes of a checked file with this JSON.
std::string checked_json_text(std::string_view json);
/// Reads the file without using its copy. ErrorType::kCorrupt names the file when it is missing, or
/// when its checksum or JSON is wrong.
Result<JsonValue> read_checked_json(FileSystem& files, const std::string& path);

std::string copy_path(const std::string& path);
struct CopiedJson {
  JsonValue json;
  Status damage;  // of the file, when `json` comes from its copy
};
/// Reads the file, or its copy when the file is damaged or missing. The error is that of the file.
Result<CopiedJson> read_copied_json(FileSystem& files, const std::string& path);

}  // namespace quarry
