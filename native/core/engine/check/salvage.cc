#include "engine/check/salvage.h"

#include <charconv>
#include <map>
#include <set>
#include <utility>

#include "base/hash.h"
#include "engine/check/read_log.h"
#include "engine/check/salvaged_index.h"

namespace quarry {
namespace {

/// META, or a guess of its content.
IndexMeta meta_of(FileSystem& files, const std::string& dir, uint32_t number) {
  Result<IndexMeta> meta = read_index_meta(files, dir);
  if (meta.ok() && meta->number == number) return std::move(*meta);
  return guess_index_meta(files, dir, number);
}

/// A name that can be part of a path and is not used by another index.
std::string file_name(const std::string& name, uint32_t number, std::set<std::string>& taken) {
  const bool plain = !name.empty() && name.find('/') == std::string::npos &&
                     name.find('\0') == std::string::npos && name.size() < 250;
  std::string chosen = plain && !taken.contains(name) ? name : "damaged-" + std::to_string(number);
  taken.insert(chosen);
  return chosen;
}

std::map<uint32_t, SalvagedIndex> read_segments(FileSystem& files, const std::string& indices) {
  std::map<uint32_t, SalvagedIndex> salvaged;
  std::set<std::string> taken;
  const auto names = files.list(indices);
  for (size_t i = 0; names.ok() && i < names->size(); i++) {
    const std::string& folder = (*names)[i];
    uint32_t number = 0;
    const auto read = std::from_chars(folder.data(), folder.data() + folder.size(), number);
    if (read.ec != std::errc() || std::to_string(number) != folder) continue;
    const std::string dir = indices + "/" + folder;
    IndexMeta meta = meta_of(files, dir, number);
    const uint32_t shards = meta.shards;
    SalvagedIndex& index =
        salvaged.emplace(number, SalvagedIndex(files, dir, std::move(meta))).first->second;
    index.set_name(file_name(index.name(), number, taken));
    for (uint32_t shard = 0; shard < shards; shard++) index.add_shard(shard);
  }
  return salvaged;
}

}  // namespace

Status prepare_salvage(FileSystem& files, const std::string& out_dir) {
  QUARRY_RETURN_IF_ERROR(files.create_dirs(out_dir));
  QUARRY_ASSIGN_OR_RETURN(const std::vector<std::string> names, files.list(out_dir));
  if (names.empty()) return {};
  return {ErrorType::kIllegalArgument, "the folder to salvage to, [" + out_dir + "], is not empty"};
}

Result<std::string> salvage_documents(FileSystem& files, const std::string& data_dir,
                                      const std::string& out_dir) {
  std::map<uint32_t, SalvagedIndex> salvaged = read_segments(files, data_dir + "/indices");
  const auto visit = [&salvaged](const WalRecord& record, const std::string&, uint64_t) {
    const auto index = salvaged.find(record.index);
    if (index != salvaged.end()) index->second.add_record(record);
  };
  Findings ignored;  // the check has reported them
  const auto sources = read_log(files, data_dir + "/wal", std::nullopt, visit, ignored);
  std::string json = "[";
  for (auto& [number, index] : salvaged) {
    QUARRY_ASSIGN_OR_RETURN(const std::string part, index.write(out_dir));
    if (json.size() > 1) json += ',';
    json += part;
  }
  QUARRY_RETURN_IF_ERROR(files.sync_dir(out_dir));
  return json + "]";
}

}  // namespace quarry
