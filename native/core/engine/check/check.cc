#include "engine/check/check.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <utility>

#include "base/hash.h"
#include "engine/change_record.h"
#include "engine/check/check_index.h"
#include "engine/check/read_log.h"
#include "engine/check/salvage.h"
#include "engine/maintenance/checked_json.h"
#include "json/value.h"

namespace quarry {
namespace {

class FolderCheck {
 public:
  explicit FolderCheck(const CheckOptions& options)
      : options_(options), files_(*options.file_system), dir_(options.data_dir) {}

  Result<std::string> run();

 private:
  Status refuse(const std::string& why) const { return {ErrorType::kIllegalArgument, why}; }
  Status take_folder();
  void measure(const std::string& path);
  void check_node();
  void check_indexes();
  void check_log();
  void check_record(const WalRecord& record, const std::string& file, uint64_t offset);
  void check_changes();
  void check_strangers();
  void before(const std::string& file);

  const CheckOptions& options_;
  FileSystem& files_;
  const std::string dir_;
  std::shared_ptr<void> lock_;
  Findings findings_;
  uint64_t total_ = 0;
  uint64_t done_ = 0;
  std::optional<uint64_t> node_;
  std::map<uint32_t, CheckedIndex> indexes_;
};

Status FolderCheck::take_folder() {
  const bool ours = files_.exists(dir_ + "/indices") || files_.exists(dir_ + "/NODE");
  if (!ours) return refuse("[" + dir_ + "] is no data folder: it has neither NODE nor indices");
  Result<std::shared_ptr<void>> lock = files_.lock(dir_ + "/node.lock");
  if (!lock.ok()) {
    return refuse("the data folder [" + dir_ +
                  "] is in use by a running service, stop it first: " + lock.status().reason());
  }
  lock_ = *lock;
  return {};
}

/// Adds up the bytes to read, for the progress.
void FolderCheck::measure(const std::string& path) {
  const auto names = files_.list(path);
  if (!names.ok()) {
    const Result<uint64_t> size = files_.file_size(path);
    if (size.ok()) total_ += *size;
    return;
  }
  for (const std::string& name : *names) measure(path + "/" + name);
}

void FolderCheck::before(const std::string& file) {
  if (options_.progress == nullptr) return;
  options_.progress(done_, total_, file);
  const Result<uint64_t> size = files_.file_size(file);
  if (size.ok()) done_ += *size;
}

void FolderCheck::check_node() {
  const std::string path = dir_ + "/NODE";
  before(path);
  const Result<JsonValue> original = read_checked_json(files_, path);
  const bool has_copy = files_.exists(copy_path(path));
  const Result<JsonValue> copy = has_copy ? read_checked_json(files_, copy_path(path)) : original;
  findings_.counts.files += has_copy ? 2 : 1;
  const char* lost = "the service refuses to start: put the file back, or salvage the documents";
  if (!original.ok()) {
    findings_.damage(path, original.status().reason(),
                     has_copy && copy.ok() ? "its copy is used, and replaces it" : lost);
  }
  if (has_copy && !copy.ok()) {
    findings_.damage(copy_path(path), copy.status().reason(),
                     original.ok() ? "nothing is lost: it is written again in time" : lost);
  }
  for (const Result<JsonValue>* json : {&original, &copy}) {
    const JsonValue* uuid = json->ok() ? (*json)->find("uuid") : nullptr;
    if (uuid != nullptr && !node_) node_ = hash64(uuid->text());
  }
}

void FolderCheck::check_indexes() {
  const std::string indices = dir_ + "/indices";
  const auto names = files_.list(indices);
  if (!names.ok())
    return findings_.damage(indices, names.status().reason(), "the service does not start");
  for (const std::string& name : *names) {
    const std::string path = indices + "/" + name;
    uint32_t number = 0;
    const auto read = std::from_chars(name.data(), name.data() + name.size(), number);
    if (read.ec == std::errc() && std::to_string(number) == name) {
      indexes_[number] = check_index(
          files_, path, number, [this](const std::string& file) { before(file); }, findings_);
    } else {
      findings_.warning(
          path, "is a folder that was partly created, partly deleted, or is not of this service",
          "the next start removes those that end in .new and .trash");
    }
  }
}

void FolderCheck::check_log() {
  const std::string wal = dir_ + "/wal";
  before(wal);
  const auto visit = [this](const WalRecord& record, const std::string& file, uint64_t offset) {
    check_record(record, file, offset);
  };
  static_cast<void>(read_log(files_, wal, node_, visit, findings_));
}

/// Records of dropped indexes are ignored.
void FolderCheck::check_record(const WalRecord& record, const std::string& file, uint64_t offset) {
  const auto index = indexes_.find(record.index);
  if (index == indexes_.end()) return;
  const auto report = [&](std::string what) {
    findings_.add({Severity::kDamage, file, "", offset, std::move(what),
                   "the next start may not find all of index [" + index->second.name + "]"});
  };
  if (record.type == WalRecordType::kDelete) return;
  const Result<JsonValue> body = JsonValue::parse(record.body, kMaxJsonDepth * 4);
  if (!body.ok() || !body->is_object()) report("a record holds no JSON object");
  if (record.type == WalRecordType::kMapping) return;
  if (record.shard >= index->second.shards) {
    report("a record names shard " + std::to_string(record.shard) + ", which is not there");
  } else if (record.id.empty()) {
    report("a record has no id");
  }
}

/// Checks the change record that the last process on the folder may have left.
void FolderCheck::check_changes() {
  const std::string path = dir_ + "/CHANGES";
  const auto record = ChangeRecord::read(files_, path);
  if (!record.ok()) {
    findings_.damage(path, record.status().reason(),
                     "a change of several indexes that was interrupted may be made in part");
  } else if (*record) {
    findings_.warning(path, "is the record of a change of indexes that was interrupted",
                      "the next start completes the change");
  }
}

void FolderCheck::check_strangers() {
  static constexpr std::string_view kKnown[] = {"NODE",
                                                "NODE.copy",
                                                "node.lock",
                                                "indices",
                                                "wal",
                                                "CHANGES",
                                                "wal.files",
                                                "inference.json",
                                                "repositories.json",
                                                "templates.json",
                                                "search-templates.json",
                                                "cluster-settings.json",
                                                "snapshot-policies.json",
                                                "keys.json",
                                                "models"};
  const auto names = files_.list(dir_);
  if (!names.ok()) return;
  for (const std::string& name : *names) {
    const bool known = std::find(std::begin(kKnown), std::end(kKnown), name) != std::end(kKnown);
    if (!known)
      findings_.warning(dir_ + "/" + name, "is not a file of the service", "it is ignored here");
  }
}

Result<std::string> FolderCheck::run() {
  QUARRY_RETURN_IF_ERROR(take_folder());
  std::string salvage;
  if (!options_.salvage_dir.empty()) {
    QUARRY_RETURN_IF_ERROR(prepare_salvage(files_, options_.salvage_dir));
  }
  measure(dir_);
  check_node();
  check_indexes();
  check_changes();
  check_log();
  check_strangers();
  if (!options_.salvage_dir.empty()) {
    QUARRY_ASSIGN_OR_RETURN(salvage, salvage_documents(files_, dir_, options_.salvage_dir));
  }
  if (options_.progress != nullptr) options_.progress(total_, total_, "");
  std::string json = "{\"data_dir\":";
  append_json_string(json, dir_);
  json += "," + findings_.members_json();
  if (!salvage.empty()) json += ",\"salvage\":" + salvage;
  return json + "}";
}

}  // namespace

Result<std::string> check_data_folder(const CheckOptions& options) {
  return FolderCheck(options).run();
}

}  // namespace quarry
