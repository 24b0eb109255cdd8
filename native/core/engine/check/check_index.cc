#include "engine/check/check_index.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "engine/catalog/index_folder.h"
#include "engine/check/check_shard.h"
#include "engine/maintenance/checked_json.h"
#include "mapping/schema/mapping.h"

namespace quarry {
namespace {

constexpr const char* kOutOfService =
    "the index is out of service: its requests are refused, others are not; salvage its documents, "
    "then delete it";

std::string settings_of(const JsonValue& spec) {
  const JsonValue* settings = spec.find("settings");
  return settings == nullptr || settings->is_null() ? std::string() : settings->to_json();
}

/// Checks each of the two files separately: a service needs only one of them.
void check_meta_files(FileSystem& files, const std::string& path, Findings& findings) {
  const Result<JsonValue> original = read_checked_json(files, path);
  const bool has_copy = files.exists(copy_path(path));
  const Result<JsonValue> copy = has_copy ? read_checked_json(files, copy_path(path)) : original;
  findings.counts.files += has_copy ? 2 : 1;
  if (!original.ok()) {
    findings.damage(path, original.status().reason(),
                    has_copy && copy.ok() ? "its copy is used, and replaces it" : kOutOfService);
  }
  if (has_copy && !copy.ok()) {
    findings.damage(
        copy_path(path), copy.status().reason(),
        original.ok() ? "nothing is lost: the next change writes it again" : kOutOfService);
  }
}

void check_mapping(const IndexMeta& meta, const std::string& path, Findings& findings) {
  Result<MappingContext> context = make_mapping_context(settings_of(meta.spec));
  if (!context.ok()) return findings.damage(path, context.status().reason(), kOutOfService);
  const auto mapping = Mapping::create(meta.mappings, std::move(*context));
  if (!mapping.ok()) findings.damage(path, mapping.status().reason(), kOutOfService);
}

/// Reports files other than the shard folders, META and its copy.
void check_strangers(FileSystem& files, const std::string& dir, uint32_t shards,
                     Findings& findings) {
  const auto names = files.list(dir);
  if (!names.ok()) return findings.damage(dir, names.status().reason(), kOutOfService);
  for (const std::string& name : *names) {
    uint32_t shard = 0;
    const auto read = std::from_chars(name.data(), name.data() + name.size(), shard);
    const bool known = name == "META" || name == "META.copy" ||
                       (read.ec == std::errc() && std::to_string(shard) == name && shard < shards);
    if (!known) findings.warning(dir + "/" + name, "belongs to nothing", "it is ignored");
  }
}

}  // namespace

CheckedIndex check_index(FileSystem& files, const std::string& dir, uint32_t number,
                         const std::function<void(const std::string&)>& before_file,
                         Findings& findings) {
  const std::string path = dir + "/META";
  before_file(path);
  check_meta_files(files, path, findings);
  Result<IndexMeta> read = read_index_meta(files, dir);
  if (read.ok() && read->number != number) {
    findings.damage(path, "is that of index number " + std::to_string(read->number), kOutOfService);
  } else if (!read.ok() && read_copied_json(files, path).ok()) {
    findings.damage(path, read.status().reason(), kOutOfService);
  }
  const bool known = read.ok();
  const IndexMeta meta = known ? std::move(*read) : guess_index_meta(files, dir, number);
  if (known) check_mapping(meta, path, findings);
  CheckedIndex index{number, meta.name(), meta.shards, {}};
  if (index.name.empty()) index.name = "damaged-" + std::to_string(number);
  check_strangers(files, dir, meta.shards, findings);
  for (uint32_t shard = 0; shard < meta.shards; shard++) {
    const ShardPlace place{dir + "/" + std::to_string(shard), index.name, shard, meta.shards,
                           meta.format >= kMetaWithManifests};
    index.covered.push_back(check_shard(files, place, before_file, findings));
  }
  findings.counts.indexes++;
  findings.counts.shards += meta.shards;
  return index;
}

}  // namespace quarry
