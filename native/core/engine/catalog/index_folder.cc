#include "engine/catalog/index_folder.h"

#include <algorithm>
#include <utility>

#include "engine/catalog/index.h"
#include "engine/maintenance/checked_json.h"
#include "shard/manifest.h"

namespace quarry {

Result<uint32_t> read_shard_count(const JsonValue& spec) {
  const JsonValue* member = spec.find("number_of_shards");
  if (member == nullptr) return uint32_t{1};
  const auto count = member->as_int();
  if (count && *count >= 1 && *count <= kMaxShards) return static_cast<uint32_t>(*count);
  return Status(ErrorType::kIllegalArgument,
                "[number_of_shards] must be between [1] and [" + std::to_string(kMaxShards) + "]");
}

Result<IndexMeta> read_index_meta(FileSystem& files, const std::string& dir) {
  const std::string path = dir + "/META";
  QUARRY_ASSIGN_OR_RETURN(const CopiedJson read, read_copied_json(files, path));
  const JsonValue& json = read.json;
  const JsonValue* format = json.find("format");
  const JsonValue* number = json.find("number");
  const JsonValue* uuid = json.find("uuid");
  const JsonValue* spec = json.find("spec");
  const JsonValue* mappings = json.find("mappings");
  const auto value = number == nullptr ? std::nullopt : number->as_int();
  if (!value || *value < 1 || *value >= UINT32_MAX || uuid == nullptr || spec == nullptr ||
      !read_shard_count(*spec).ok()) {
    return Status(ErrorType::kCorrupt, "[" + path + "] lacks a member");
  }
  IndexMeta meta;
  meta.damage = read.damage;
  const auto version = format == nullptr ? std::nullopt : format->as_int();
  if (version && *version >= kMetaWithManifests) meta.format = kMetaWithManifests;
  meta.number = static_cast<uint32_t>(*value);
  meta.uuid = std::string(uuid->text());
  meta.spec = *spec;
  meta.shards = *read_shard_count(*spec);
  if (mappings != nullptr && !mappings->is_null()) meta.mappings = mappings->to_json();
  return meta;
}

Status restore_index_meta(FileSystem& files, const std::string& dir) {
  const std::string path = dir + "/META";
  QUARRY_ASSIGN_OR_RETURN(const std::vector<uint8_t> bytes, files.read(copy_path(path)));
  return files.write_atomically(path, bytes);
}

std::string index_meta_json(uint32_t number, const std::string& uuid, const JsonValue& spec,
                            std::string_view mappings_json, uint32_t format) {
  std::string json = R"({"format":)" + std::to_string(format) + R"(,"number":)" +
                     std::to_string(number) + R"(,"uuid":)";
  append_json_string(json, uuid);
  json += R"(,"spec":)";
  spec.append_to(json);
  return json + R"(,"mappings":)" + std::string(mappings_json) + "}";
}

namespace {

/// The JSON of a checked file whose checksum does not match, if it still parses.
JsonValue guess_json(FileSystem& files, const std::string& path) {
  const Result<std::vector<uint8_t>> bytes = files.read(path);
  if (!bytes.ok()) return {};
  const std::string_view text = as_text(*bytes);
  Result<JsonValue> json = JsonValue::parse(text.substr(0, text.rfind('\n')), kMaxJsonDepth * 4);
  return json.ok() ? std::move(json).value() : JsonValue();
}

uint32_t count_shard_folders(FileSystem& files, const std::string& dir) {
  uint32_t count = 1;
  while (count < kMaxShards && files.exists(dir + "/" + std::to_string(count))) count++;
  return count;
}

}  // namespace

IndexMeta guess_index_meta(FileSystem& files, const std::string& dir, uint32_t number) {
  IndexMeta meta;
  meta.number = number;
  meta.spec = JsonValue::object();
  meta.shards = count_shard_folders(files, dir);
  const std::string path = dir + "/META";
  for (const std::string& file : {path, copy_path(path)}) {
    const JsonValue json = guess_json(files, file);
    const JsonValue* spec = json.find("spec");
    const JsonValue* name = spec == nullptr ? nullptr : spec->find("name");
    if (name == nullptr || !name->is_string() || name->text().empty()) continue;
    meta.spec = *spec;
    if (const JsonValue* uuid = json.find("uuid")) meta.uuid = std::string(uuid->text());
    if (const JsonValue* mappings = json.find("mappings")) meta.mappings = mappings->to_json();
    break;
  }
  return meta;
}

std::string describe_index(uint32_t number, const std::string& uuid, const JsonValue& spec,
                           uint64_t mapping_version, std::string_view mappings_json) {
  std::string json = R"({"number":)" + std::to_string(number) + R"(,"uuid":)";
  append_json_string(json, uuid);
  for (const JsonValue::Member& member : spec.members()) {
    json += ',';
    append_json_string(json, member.first);
    json += ':';
    member.second.append_to(json);
  }
  if (spec.find("number_of_shards") == nullptr) json += R"(,"number_of_shards":1)";
  json += R"(,"mapping_version":)" + std::to_string(mapping_version);
  return json + R"(,"mappings":)" + std::string(mappings_json) + "}";
}

std::string IndexMeta::name() const {
  const JsonValue* name = spec.find("name");
  return name == nullptr ? std::string() : std::string(name->text());
}

std::string describe_damaged(const IndexMeta& guess, const std::string& name,
                             const std::string& reason) {
  JsonValue spec = JsonValue::object();
  spec.set("name", JsonValue::string(name));
  spec.set("number_of_shards", JsonValue::number(std::to_string(guess.shards)));
  spec.set("creation_date", JsonValue::number("0"));
  spec.set("damage", JsonValue::string(reason));
  return describe_index(guess.number, guess.uuid, spec, 1, "{}");
}

IndexSummary summarise_index(FileSystem& files, const std::string& dir, const IndexMeta& meta,
                             Covered& covered) {
  covered.assign(meta.shards, 0);
  IndexSummary summary;
  summary.number = meta.number;
  summary.shards = meta.shards;
  for (uint32_t i = 0; i < meta.shards; i++) {
    const std::string path = dir + "/" + std::to_string(i) + "/MANIFEST";
    if (!files.exists(path)) continue;
    const Result<std::vector<uint8_t>> bytes = files.read(path);
    if (!bytes.ok()) continue;
    const Result<Manifest> manifest = decode_manifest(*bytes);
    if (!manifest.ok()) continue;
    summary.stats.add(manifest_stats(*manifest));
    covered[i] = manifest->covered;
    summary.next_seq_no = std::max(summary.next_seq_no, manifest->covered);
  }
  return summary;
}

}  // namespace quarry
