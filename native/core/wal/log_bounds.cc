#include "wal/log_bounds.h"

#include <vector>

#include "base/coding.h"
#include "base/crc32c.h"

namespace quarry {
namespace {

constexpr uint64_t kLogBoundsMagic = 0x4257595252415551;  // "QUARRYWB"
constexpr uint32_t kLogBoundsVersion = 1;
constexpr size_t kBytes = 24;

}  // namespace

std::string wal_bounds_path(const std::string& dir) { return dir + ".files"; }

Result<std::optional<WalBounds>> read_wal_bounds(FileSystem& files, const std::string& dir) {
  const std::string path = wal_bounds_path(dir);
  if (!files.exists(path)) return std::optional<WalBounds>();
  QUARRY_ASSIGN_OR_RETURN(const std::vector<uint8_t> bytes, files.read(path));
  ByteReader reader(bytes);
  const bool ours =
      reader.get<uint64_t>() == kLogBoundsMagic && reader.get<uint32_t>() == kLogBoundsVersion;
  WalBounds bounds;
  bounds.first = reader.get<uint32_t>();
  bounds.last = reader.get<uint32_t>();
  const auto crc = reader.get<uint32_t>();
  const bool whole = bytes.size() == kBytes && !reader.failed() &&
                     crc == crc32c(Bytes(bytes).first(kBytes - sizeof(crc)));
  if (ours && whole) return std::optional(bounds);
  return Status(ErrorType::kCorrupt, "[" + path + "] does not match its checksum");
}

Status write_wal_bounds(FileSystem& files, const std::string& dir, const WalBounds& bounds) {
  ByteWriter out;
  out.put(kLogBoundsMagic);
  out.put(kLogBoundsVersion);
  out.put(bounds.first);
  out.put(bounds.last);
  out.put(crc32c(out.view()));
  return files.write_atomically(wal_bounds_path(dir), out.view());
}

}  // namespace quarry
