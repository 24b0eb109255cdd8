#include "shard/segment_files.h"

#include <algorithm>
#include <array>

#include "base/map_faults.h"

namespace quarry {
namespace {

constexpr const char* kData = ".data";
constexpr const char* kSidx = ".sidx";
constexpr const char* kIds = ".ids";
constexpr const char* kVectors = ".vec";
constexpr std::array kKinds = {kData, kSidx, kIds, kVectors};

const char* name_of(FileKind kind) {
  switch (kind) {
    case FileKind::kData:
      return kData;
    case FileKind::kSidx:
      return kSidx;
    case FileKind::kIds:
      return kIds;
    case FileKind::kVectors:
      break;
  }
  return kVectors;
}

/// Large files are written in pieces, so that each write call stays short.
constexpr size_t kPieceBytes = size_t{8} << 20;

Status append_all(WritableFile& file, Bytes bytes) {
  while (!bytes.empty()) {
    const Bytes piece = bytes.first(std::min(bytes.size(), kPieceBytes));
    QUARRY_RETURN_IF_ERROR(file.append(piece));
    bytes = bytes.subspan(piece.size());
  }
  return {};
}

std::string base_name(uint64_t number) { return "seg-" + std::to_string(number); }

}  // namespace

std::string segment_file_name(uint64_t number, FileKind kind) {
  return base_name(number) + name_of(kind);
}

std::string SegmentFiles::path(uint64_t number, const char* kind) const {
  return dir_ + "/" + base_name(number) + kind;
}

Status SegmentFiles::write_file(const std::string& path, Bytes bytes) {
  QUARRY_ASSIGN_OR_RETURN(const std::unique_ptr<WritableFile> file, files_.create(path));
  QUARRY_RETURN_IF_ERROR(append_all(*file, bytes));
  QUARRY_RETURN_IF_ERROR(file->sync());
  return file->close();
}

Status SegmentFiles::write_files(uint64_t number, const Segment& segment) {
  QUARRY_RETURN_IF_ERROR(write_file(path(number, kData), segment.data_bytes()));
  QUARRY_RETURN_IF_ERROR(write_file(path(number, kSidx), segment.sidx_bytes()));
  QUARRY_RETURN_IF_ERROR(write_file(path(number, kIds), segment.ids_bytes()));
  return files_.sync_dir(dir_);
}

Result<std::shared_ptr<const Segment>> SegmentFiles::finish(uint64_t number,
                                                            const Status& written) {
  if (written.ok()) return open(number);
  static_cast<void>(remove(number));  // the first error is the one to report
  return written;
}

Result<std::shared_ptr<const Segment>> SegmentFiles::write(
    uint64_t number, const std::function<Status(const FileMaker&)>& fill) {
  Status written = fill([&](FileKind kind) { return files_.create(path(number, name_of(kind))); });
  if (written.ok()) written = files_.sync_dir(dir_);
  return finish(number, written);
}

Result<std::shared_ptr<const Segment>> SegmentFiles::write(uint64_t number,
                                                           const Segment& segment) {
  return finish(number, write_files(number, segment));
}

Result<std::shared_ptr<ByteSource>> SegmentFiles::map_part(uint64_t number,
                                                           const char* kind) const {
  const std::string name = path(number, kind);
  Result<std::shared_ptr<ByteSource>> source = files_.map(name);
  if (source.ok() || files_.exists(name)) return source;
  return Status(ErrorType::kCorrupt, "[" + name + "] is missing");
}

Result<std::shared_ptr<const Segment>> SegmentFiles::open(uint64_t number) const {
  QUARRY_ASSIGN_OR_RETURN(std::shared_ptr<ByteSource> data, map_part(number, kData));
  QUARRY_ASSIGN_OR_RETURN(std::shared_ptr<ByteSource> sidx, map_part(number, kSidx));
  QUARRY_ASSIGN_OR_RETURN(std::shared_ptr<ByteSource> ids, map_part(number, kIds));
  auto segment = Segment::open(data, sidx, ids, map_vectors(number));
  if (segment.ok()) return segment;
  for (const auto& source : {data, sidx, ids}) {
    // A disk that does not respond now may do so later, so this is not reported as damage.
    if (const Status sound = sound_map(source->bytes()); !sound.ok())
      return Status(ErrorType::kStore, sound.reason());
  }
  return Status(segment.status().type(),
                "segment [" + dir_ + "/" + base_name(number) + "]: " + segment.status().reason());
}

/// Without coded vectors a search is slower but correct. The segment reports a missing or
/// unreadable file.
std::shared_ptr<ByteSource> SegmentFiles::map_vectors(uint64_t number) const {
  if (!files_.exists(path(number, kVectors))) return nullptr;
  auto mapped = files_.map(path(number, kVectors));
  return mapped.ok() ? std::move(*mapped) : nullptr;
}

Status SegmentFiles::remove(uint64_t number) {
  Status first;
  for (const char* kind : kKinds) {
    if (kind == kVectors && !files_.exists(path(number, kind))) continue;
    Status status = files_.remove(path(number, kind));
    if (first.ok()) first = std::move(status);
  }
  return first;
}

Status SegmentFiles::remove_others(const std::vector<uint64_t>& numbers) {
  if (!files_.exists(dir_)) return {};
  QUARRY_ASSIGN_OR_RETURN(const std::vector<std::string> names, files_.list(dir_));
  std::vector<std::string> owned;
  for (const uint64_t number : numbers) {
    for (const char* kind : kKinds) owned.push_back(base_name(number) + kind);
  }
  std::sort(owned.begin(), owned.end());
  for (const std::string& name : names) {
    const bool ours = name.starts_with("seg-") || name.ends_with(".tmp");
    if (!ours || std::binary_search(owned.begin(), owned.end(), name)) continue;
    QUARRY_RETURN_IF_ERROR(files_.remove(dir_ + "/" + name));
  }
  return {};
}

}  // namespace quarry
