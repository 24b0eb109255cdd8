#include "engine/maintenance/checked_json.h"

#include <array>
#include <utility>

#include "base/crc32c.h"

namespace quarry {
namespace {

constexpr size_t kDigits = 8;

std::string checksum(std::string_view json) {
  static constexpr std::string_view kHex = "0123456789abcdef";
  const uint32_t crc = crc32c(as_bytes(json));
  std::string digits;
  for (size_t i = 0; i < kDigits; i++) digits += kHex[crc >> (28 - 4 * i) & 15];
  return digits;
}

}  // namespace

std::string checked_json_text(std::string_view json) {
  return std::string(json) + "\n" + checksum(json);
}

std::string copy_path(const std::string& path) { return path + ".copy"; }

Status write_checked_json(FileSystem& files, const std::string& path, std::string_view json) {
  const std::string text = checked_json_text(json);
  QUARRY_RETURN_IF_ERROR(files.write_atomically(copy_path(path), as_bytes(text)));
  return files.write_atomically(path, as_bytes(text));
}

Result<JsonValue> read_checked_json(FileSystem& files, const std::string& path) {
  const Result<std::vector<uint8_t>> bytes = files.read(path);
  if (!bytes.ok()) {
    if (files.exists(path)) return bytes.status();
    return Status(ErrorType::kCorrupt, "[" + path + "] is missing");
  }
  const std::string_view text = as_text(*bytes);
  const bool long_enough = text.size() > kDigits;
  const std::string_view json = long_enough ? text.substr(0, text.size() - kDigits - 1) : "";
  if (!long_enough || text.substr(json.size() + 1) != checksum(json)) {
    return Status(ErrorType::kCorrupt, "[" + path + "] does not match its checksum");
  }
  Result<JsonValue> value = JsonValue::parse(json, kMaxJsonDepth * 4);
  if (value.ok()) return value;
  return Status(ErrorType::kCorrupt, "[" + path + "]: " + value.status().reason());
}

Result<CopiedJson> read_copied_json(FileSystem& files, const std::string& path) {
  Result<JsonValue> json = read_checked_json(files, path);
  if (json.ok()) return CopiedJson{std::move(json).value(), {}};
  if (json.status().type() != ErrorType::kCorrupt) return json.status();
  Result<JsonValue> copy = read_checked_json(files, copy_path(path));
  if (!copy.ok()) return json.status();
  return CopiedJson{std::move(copy).value(), json.status()};
}

}  // namespace quarry
