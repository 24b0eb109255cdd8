#include "engine/recovery/restored_folder.h"

#include <utility>

#include "segment/file_key.h"
#include "shard/manifest.h"
#include "shard/segment_files.h"

namespace quarry {
namespace {

constexpr FileKind kKinds[] = {FileKind::kData, FileKind::kSidx, FileKind::kIds,
                               FileKind::kVectors};

Status damaged(uint32_t shard, std::string_view name, std::string_view what) {
  return {ErrorType::kCorrupt,
          "[" + std::to_string(shard) + "/" + std::string(name) + "] " + std::string(what)};
}

std::shared_ptr<ByteSource> map_file(FileSystem& files, const std::string& path) {
  if (!files.exists(path)) return nullptr;
  Result<std::shared_ptr<ByteSource>> mapped = files.map(path);
  return mapped.ok() ? *mapped : nullptr;
}

/// Checks the files of one segment and removes them from `left`.
Status check_restored_segment(FileSystem& files, const std::string& dir, uint32_t shard,
                              const ManifestSegment& listed, ExpectedFiles& left) {
  std::shared_ptr<ByteSource> parts[std::size(kKinds)];
  for (size_t i = 0; i < std::size(kKinds); i++) {
    const std::string name = segment_file_name(listed.file_number, kKinds[i]);
    const auto expected = left.find(name);
    if (expected == left.end()) {
      if (kKinds[i] == FileKind::kVectors) continue;
      return damaged(shard, name, "is named by the manifest and not part of the copy");
    }
    parts[i] = map_file(files, dir + "/" + name);
    if (parts[i] == nullptr) return damaged(shard, name, "is missing or cannot be read");
    // Verifies every checksum, so that damage is attributed to the right file.
    const auto opened = SectionFile::open(parts[i]->bytes(), kKinds[i], true, parts[i]->mapped());
    if (!opened.ok()) return damaged(shard, name, "is damaged: " + opened.status().reason());
    const Result<std::string> key = file_key(parts[i]->bytes(), kKinds[i]);
    if (!key.ok() || *key != expected->second) {
      return damaged(shard, name, "is another file than the one that was copied");
    }
    left.erase(expected);
  }
  const auto segment = Segment::open(parts[0], parts[1], parts[2], parts[3]);
  const std::string name = segment_file_name(listed.file_number, FileKind::kData);
  if (!segment.ok()) return damaged(shard, name, segment.status().reason());
  if (!(*segment)->vector_damage().empty()) {
    return damaged(shard, segment_file_name(listed.file_number, FileKind::kVectors),
                   (*segment)->vector_damage());
  }
  if ((*segment)->max_doc() == listed.docs) return {};
  return damaged(shard, name, "holds another number of documents than the manifest says");
}

}  // namespace

Result<std::vector<ExpectedFiles>> read_expected_files(const JsonValue* files, uint32_t shards) {
  const Status bad(ErrorType::kIllegalArgument, "[files] must list shard, name and key of each");
  std::vector<ExpectedFiles> expected(shards);
  if (files == nullptr || !files->is_array()) return bad;
  for (const JsonValue& file : files->items()) {
    const JsonValue* shard = file.find("shard");
    const JsonValue* name = file.find("name");
    const JsonValue* key = file.find("key");
    if (shard == nullptr || name == nullptr || key == nullptr) return bad;
    const auto number = shard->as_int();
    if (!number || *number < 0 || *number >= int64_t{shards} || !name->is_string()) return bad;
    expected[static_cast<size_t>(*number)].emplace(name->text(), key->text());
  }
  return expected;
}

Status check_restored_shard(FileSystem& files, const std::string& index_dir, uint32_t shard,
                            const ExpectedFiles& expected) {
  const std::string dir = index_dir + "/" + std::to_string(shard);
  const Result<std::vector<uint8_t>> bytes = files.read(dir + "/MANIFEST");
  if (!bytes.ok()) return damaged(shard, "MANIFEST", "is missing or cannot be read");
  const Result<Manifest> manifest = decode_manifest(*bytes);
  if (!manifest.ok())
    return damaged(shard, "MANIFEST", "is damaged: " + manifest.status().reason());
  ExpectedFiles left = expected;
  for (const ManifestSegment& listed : manifest->segments) {
    QUARRY_RETURN_IF_ERROR(check_restored_segment(files, dir, shard, listed, left));
  }
  if (!left.empty())
    return damaged(shard, left.begin()->first, "belongs to no segment of the manifest");
  return files.sync_dir(dir);
}

}  // namespace quarry
