// Changes of several indexes that are applied as one: checked, recorded (change_record.h), made
// visible, and then written to the files of each index. A change that is recorded but not completed
// is completed by the next change, by close(), or by the next start.
#include <algorithm>
#include <set>
#include <utility>

#include "base/kill_point.h"
#include "engine/engine_impl.h"
#include "json/value.h"

namespace quarry {

/// A new index whose folder is complete, but which is not in the index table yet.
struct EngineImpl::Born {
  uint32_t number = 0;
  std::shared_ptr<Index> index;  // null: a copy, loaded once its folder has its final name
};

struct EngineImpl::PreparedChanges {
  ChangeRecord record;
  std::vector<Born> born;
  std::vector<uint32_t> described;  // the new and changed indexes, in the order of the request
};

Result<std::string> EngineImpl::change_indexes(std::string_view changes_json) {
  FileSystem& files = files_;
  QUARRY_RETURN_IF_ERROR(log_->state());
  QUARRY_ASSIGN_OR_RETURN(const JsonValue changes,
                          JsonValue::parse(changes_json, kMaxJsonDepth * 2));
  const std::lock_guard lock(admin_mutex_);
  QUARRY_RETURN_IF_ERROR(finish_changes_locked());
  QUARRY_ASSIGN_OR_RETURN(PreparedChanges prepared, prepare_changes(changes));
  QUARRY_KILL_POINT(files, "before change record");
  Status status = prepared.record.write(files, change_record_path());
  QUARRY_KILL_POINT(files, "after change record");
  if (status.ok()) status = bear(prepared);
  if (status.ok()) status = show(prepared);
  if (!status.ok()) {
    forget_births(prepared);
    return status;
  }
  for (const Born& born : prepared.born) {
    restoring_.erase(born.number);
    indices_.put(born.index);
  }
  const bool drops = !prepared.record.dropped.empty();
  unfinished_ = std::move(prepared.record);
  std::string descriptions = described(prepared);
  // The change is already made; if it cannot be written to the files now, the next change does it.
  if (!drops) static_cast<void>(finish_changes_locked());
  return descriptions;
}

/// Checks the changes and writes the folders of new indexes; nothing becomes visible.
Result<EngineImpl::PreparedChanges> EngineImpl::prepare_changes(const JsonValue& changes) {
  PreparedChanges prepared;
  std::set<uint32_t> seen;
  const auto prepare = [&](const JsonValue& change) -> Status {
    if (change.find("create") != nullptr || change.find("restore") != nullptr) {
      return prepare_birth(change, prepared);
    }
    const JsonValue* drop = change.find("drop");
    QUARRY_ASSIGN_OR_RETURN(const uint32_t number,
                            read_index_number(drop == nullptr ? change.find("index") : drop));
    if (!seen.insert(number).second) {
      return {ErrorType::kIllegalArgument,
              "index number [" + std::to_string(number) + "] is changed twice"};
    }
    if (drop != nullptr) {
      if (!indices_.contains(number)) return find_index(number).status();
      prepared.record.dropped.push_back(number);
      return {};
    }
    const JsonValue* members = change.find("members");
    const JsonValue* mappings = change.find("mappings");
    ChangeRecord::Changed changed{number, members == nullptr ? "" : members->to_json(),
                                  mappings == nullptr ? "" : mappings->to_json()};
    QUARRY_ASSIGN_OR_RETURN(const std::shared_ptr<Index> index, find_index(number));
    QUARRY_RETURN_IF_ERROR(index->check_change(changed.members, changed.mappings).status());
    prepared.record.changed.push_back(std::move(changed));
    prepared.described.push_back(number);
    return {};
  };
  for (const JsonValue& change : changes.items()) {
    const Status status = prepare(change);
    if (status.ok()) continue;
    forget_births(prepared);
    return status;
  }
  return prepared;
}

Status EngineImpl::prepare_birth(const JsonValue& change, PreparedChanges& prepared) {
  const JsonValue* restore = change.find("restore");
  const JsonValue* spec = change.find(restore == nullptr ? "create" : "spec");
  const std::string spec_json = spec == nullptr ? "null" : spec->to_json();
  Born born;
  if (restore == nullptr) {
    QUARRY_ASSIGN_OR_RETURN(born.number, identity_.take_index_number());
  } else {
    QUARRY_ASSIGN_OR_RETURN(born.number, read_index_number(restore));
    QUARRY_RETURN_IF_ERROR(restored_folder_locked(born.number, true, true).status());
  }
  const std::string dir = index_dir(born.number);
  const std::string unborn = dir + ".new";
  Result<std::shared_ptr<Index>> made = Index::create(node_, born.number, spec_json, unborn, dir);
  Status status = made.status();
  if (status.ok()) status = files_.sync_dir(unborn);
  if (!status.ok()) {
    if (restore == nullptr) static_cast<void>(files_.remove_tree(unborn));
    return status;
  }
  if (restore == nullptr) born.index = *made;
  prepared.record.born.push_back(born.number);
  prepared.described.push_back(born.number);
  prepared.born.push_back(std::move(born));
  // The record must not become durable before the folders are.
  return files_.sync_dir(indices_dir());
}

/// Undoes a change that was recorded or about to be. The record is void when one of its new folders
/// is missing. Copies of a restore keep their folders, for the caller that prepared them.
void EngineImpl::forget_births(const PreparedChanges& prepared) {
  FileSystem& files = files_;
  for (const Born& born : prepared.born) {
    const std::string dir = index_dir(born.number);
    if (files.exists(dir)) static_cast<void>(files.rename(dir, dir + ".new"));
  }
  static_cast<void>(files.sync_dir(indices_dir()));
  if (files.exists(change_record_path())) {
    static_cast<void>(files.remove(change_record_path()));
    static_cast<void>(files.sync_dir(options_.data_dir));
  }
  for (const Born& born : prepared.born) {
    if (restoring_.contains(born.number)) continue;
    static_cast<void>(files.remove_tree(index_dir(born.number) + ".new"));
  }
}

/// Renames the folders of new indexes to their final names.
Status EngineImpl::bear(PreparedChanges& prepared) {
  FileSystem& files = files_;
  if (prepared.born.empty()) return {};
  for (const Born& born : prepared.born) {
    const std::string dir = index_dir(born.number);
    QUARRY_RETURN_IF_ERROR(files.rename(dir + ".new", dir));
    QUARRY_KILL_POINT(files, "index of a change born");
  }
  QUARRY_RETURN_IF_ERROR(files.sync_dir(indices_dir()));
  for (Born& born : prepared.born) {
    if (born.index != nullptr) continue;
    QUARRY_ASSIGN_OR_RETURN(born.index, Index::load(node_, index_dir(born.number)));
  }
  return {};
}

/// Prepares all changes before the first is made visible, because documents may have extended a
/// mapping since it was checked.
Status EngineImpl::show(const PreparedChanges& prepared) {
  std::vector<ChangeRecord::Changed> by_number = prepared.record.changed;
  std::sort(by_number.begin(), by_number.end(),
            [](const auto& a, const auto& b) { return a.index < b.index; });
  std::vector<std::pair<std::shared_ptr<Index>, Index::StagedChange>> staged;
  for (const ChangeRecord::Changed& change : by_number) {
    QUARRY_ASSIGN_OR_RETURN(std::shared_ptr<Index> index, find_index(change.index));
    QUARRY_ASSIGN_OR_RETURN(Index::StagedChange one, index->stage(change.members, change.mappings));
    staged.emplace_back(std::move(index), std::move(one));
  }
  for (auto& [index, change] : staged) index->show(std::move(change));
  return {};
}

std::string EngineImpl::described(const PreparedChanges& prepared) {
  std::string lines;
  for (const uint32_t number : prepared.described) {
    const Result<std::shared_ptr<Index>> index = indices_.find(number);
    lines += index.ok() && *index != nullptr ? (*index)->describe() : "null";
    lines += '\n';
  }
  return lines;
}

Status EngineImpl::finish_changes() {
  const std::lock_guard lock(admin_mutex_);
  return finish_changes_locked();
}

Status EngineImpl::finish_changes_locked() {
  FileSystem& files = files_;
  if (!unfinished_) return {};
  for (const ChangeRecord::Changed& change : unfinished_->changed) {
    const std::shared_ptr<Index> index = indices_.find_open(change.index);
    // A closed index has no unsaved changes.
    if (index != nullptr) QUARRY_RETURN_IF_ERROR(index->save_mapping());
    QUARRY_KILL_POINT(files, "index of a change written");
  }
  std::vector<uint32_t> dropped;
  for (const uint32_t number : unfinished_->dropped) {
    if (indices_.contains(number)) dropped.push_back(number);
  }
  if (!dropped.empty()) QUARRY_RETURN_IF_ERROR(drop_all(dropped));
  QUARRY_KILL_POINT(files, "before change record goes");
  if (files.exists(change_record_path())) {
    QUARRY_RETURN_IF_ERROR(files.remove(change_record_path()));
  }
  QUARRY_RETURN_IF_ERROR(files.sync_dir(options_.data_dir));
  unfinished_.reset();
  return {};
}

/// At start: renames the folders as the record says, unless the record is void.
Status EngineImpl::rename_as_recorded() {
  FileSystem& files = files_;
  const std::string path = change_record_path();
  Result<std::optional<ChangeRecord>> record = ChangeRecord::read(files, path);
  if (!record.ok()) {
    if (record.status().type() != ErrorType::kCorrupt) return record.status();
    indices_.add_news(record.status().reason() +
                      "; a change of several indexes that was interrupted may be made in part");
    return files.rename(path, path + ".damaged");
  }
  if (!*record) return {};
  unfinished_ = std::move(*record);
  const auto lost = [&](uint32_t number) {
    return !files.exists(index_dir(number)) && !files.exists(index_dir(number) + ".new");
  };
  if (std::any_of(unfinished_->born.begin(), unfinished_->born.end(), lost)) {
    unfinished_.reset();
    QUARRY_RETURN_IF_ERROR(files.remove(path));
    return files.sync_dir(options_.data_dir);
  }
  for (const uint32_t number : unfinished_->born) {
    const std::string dir = index_dir(number);
    if (!files.exists(dir)) QUARRY_RETURN_IF_ERROR(files.rename(dir + ".new", dir));
  }
  for (const uint32_t number : unfinished_->dropped) {
    const std::string dir = index_dir(number);
    if (files.exists(dir)) QUARRY_RETURN_IF_ERROR(files.rename(dir, dir + ".trash"));
  }
  return {};
}

/// At start, once the indexes are loaded: applies the recorded changes of existing indexes. An
/// index that is out of service is left unchanged.
void EngineImpl::change_as_recorded() {
  if (!unfinished_) return;
  for (const ChangeRecord::Changed& change : unfinished_->changed) {
    const Result<std::shared_ptr<Index>> index = find_index(change.index);
    Status status = index.status();
    if (status.ok()) {
      Result<Index::StagedChange> staged = (*index)->stage(change.members, change.mappings);
      status = staged.status();
      if (status.ok()) (*index)->show(std::move(staged).value());
    }
    if (!status.ok()) {
      indices_.add_news("a change of index number [" + std::to_string(change.index) +
                        "] that was interrupted cannot be made: " + status.reason());
    }
  }
  // If this fails, the next change repeats it.
  static_cast<void>(finish_changes());
}

}  // namespace quarry
