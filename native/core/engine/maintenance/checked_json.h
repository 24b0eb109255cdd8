// Small JSON files that must not change unnoticed (index metadata, node identity): the JSON text, a newline,
// and eight hex digits of its CRC-32C. Beside each lies a copy, `<name>.copy`, written first: what it holds was never
// older than what the file itself says, and everything that depends on the file would be lost with it.
#pragma once

#include <string>
#include <string_view>

#include "base/file.h"
#include "base/status.h"
#include "json/value.h"

namespace quarry {

/// Replaces the copy and then the file, each atomically and durably.
Status write_checked_json(FileSystem& files, const std::string& path, std::string_view json);
/// The bytes of such a file.
std::string checked_json_text(std::string_view json);
/// The file alone. ErrorType::kCorrupt names it when it is missing, or its checksum or JSON is wrong.
Result<JsonValue> read_checked_json(FileSystem& files, const std::string& path);

std::string copy_path(const std::string& path);
struct CopiedJson {
  JsonValue json;
  Status damage;  // of the file, when `json` comes from its copy
};
/// The file, or its copy where the file is damaged or gone. The error is the file's.
Result<CopiedJson> read_copied_json(FileSystem& files, const std::string& path);

}  // namespace quarry
