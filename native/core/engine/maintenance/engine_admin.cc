// Index administration and descriptions.
#include <algorithm>
#include <set>
#include <utility>

#include "engine/analyze.h"
#include "engine/engine_impl.h"
#include "engine/maintenance/stats_json.h"
#include "json/value.h"

namespace quarry {

Result<std::shared_ptr<Index>> EngineImpl::find_index(uint32_t number, CallBudget* budget) {
  QUARRY_ASSIGN_OR_RETURN(std::shared_ptr<Index> index, indices_.find(number, budget));
  if (index != nullptr) return index;
  return Status(ErrorType::kIndexNotFound, "no such index [" + std::to_string(number) + "]");
}

Result<EngineImpl::OpenShard> EngineImpl::find_shard(ShardId id, CallBudget* budget) {
  QUARRY_ASSIGN_OR_RETURN(std::shared_ptr<Index> index, find_index(id.index, budget));
  if (id.shard >= index->shard_count()) {
    return Status(ErrorType::kIllegalArgument,
                  "index [" + index->name() + "] has no shard [" + std::to_string(id.shard) + "]");
  }
  Shard* shard = &index->shard(id.shard);
  return OpenShard{std::move(index), shard};
}

Result<std::string> EngineImpl::create_index(std::string_view spec_json) {
  FileSystem& files = files_;
  QUARRY_RETURN_IF_ERROR(log_->state());
  const std::lock_guard lock(admin_mutex_);
  QUARRY_RETURN_IF_ERROR(finish_changes_locked());
  QUARRY_ASSIGN_OR_RETURN(const uint32_t number, identity_.take_index_number());
  const std::string dir = index_dir(number);
  const std::string unborn = dir + ".new";
  Result<std::shared_ptr<Index>> index = Index::create(node_, number, spec_json, unborn, dir);
  Status status = index.status();
  if (status.ok()) status = files.sync_dir(unborn);
  if (status.ok()) status = files.rename(unborn, dir);
  if (status.ok()) status = files.sync_dir(indices_dir());
  if (!status.ok()) {
    // The remaining files have a name that the next start removes.
    static_cast<void>(files.rename(dir, unborn));
    static_cast<void>(files.remove_tree(unborn));
    return status;
  }
  indices_.put(*index);
  return (*index)->describe();
}

Status EngineImpl::drop_index(uint32_t number) {
  const std::lock_guard lock(admin_mutex_);
  QUARRY_RETURN_IF_ERROR(finish_changes_locked());
  if (!indices_.contains(number)) return find_index(number).status();
  return drop_all({number});
}

/// Syncs once for all. Works also for indexes that are out of service or cannot be opened.
Status EngineImpl::drop_all(const std::vector<uint32_t>& numbers) {
  FileSystem& files = files_;
  std::vector<std::shared_ptr<Index>> stopped;
  std::vector<std::string> dirs;
  Status status;
  for (const uint32_t number : numbers) {
    if (!status.ok()) break;
    if (const std::shared_ptr<Index> index = indices_.find_open(number)) {
      index->stop();
      stopped.push_back(index);
    }
    dirs.push_back(index_dir(number));
    status = files.rename(dirs.back(), dirs.back() + ".trash");
  }
  if (status.ok()) status = files.sync_dir(indices_dir());
  if (!status.ok()) {
    for (const std::string& dir : dirs) static_cast<void>(files.rename(dir + ".trash", dir));
    for (const std::shared_ptr<Index>& index : stopped) index->resume();
    return status;
  }
  for (const uint32_t number : numbers) indices_.erase(number);
  // The indexes are dropped; files that cannot be removed now are removed by the next start.
  for (const std::string& dir : dirs) static_cast<void>(files.remove_tree(dir + ".trash"));
  static_cast<void>(release_log(false));
  return {};
}

Result<std::string> EngineImpl::put_mapping(uint32_t number, std::string_view mappings_json) {
  const std::lock_guard lock(admin_mutex_);
  QUARRY_RETURN_IF_ERROR(finish_changes_locked());
  QUARRY_ASSIGN_OR_RETURN(const std::shared_ptr<Index> index, find_index(number));
  QUARRY_RETURN_IF_ERROR(index->put_mapping(mappings_json));
  return index->describe();
}

Result<std::string> EngineImpl::put_spec(uint32_t number, std::string_view members_json) {
  const std::lock_guard lock(admin_mutex_);
  QUARRY_RETURN_IF_ERROR(finish_changes_locked());
  QUARRY_ASSIGN_OR_RETURN(const std::shared_ptr<Index> index, find_index(number));
  QUARRY_RETURN_IF_ERROR(index->put_spec(members_json));
  return index->describe();
}

Result<std::string> EngineImpl::check_change(uint32_t number, std::string_view members_json,
                                             std::string_view mappings_json) {
  QUARRY_ASSIGN_OR_RETURN(const std::shared_ptr<Index> index, find_index(number));
  return index->check_change(members_json, mappings_json);
}

Status EngineImpl::put_out_of_service(uint32_t number, std::string_view reason) {
  uint64_t held = IndexTable::kNothingHeld;
  if (const std::shared_ptr<Index> index = indices_.find_open(number)) {
    held = std::min(held, index->first_unsaved());
    for (uint32_t i = 0; i < index->shard_count(); i++) {
      held = std::min(held, index->shard(i).first_unflushed());
    }
  }
  indices_.put_out_of_service(number, Status(ErrorType::kCorrupt, std::string(reason)), held);
  return {};
}

/// A closed index is described from its files: threads that describe ten thousand at the start do
/// not open them.
Result<std::string> EngineImpl::describe(uint32_t number) {
  if (indices_.contains(number) && indices_.find_open(number) == nullptr &&
      indices_.out_of_service(number).ok()) {
    const Result<IndexMeta> meta = read_index_meta(files_, index_dir(number));
    if (meta.ok()) return describe_index(number, meta->uuid, meta->spec, 1, meta->mappings);
  }
  QUARRY_ASSIGN_OR_RETURN(const std::shared_ptr<Index> index, find_index(number));
  return index->describe();
}

/// Closed indexes are described from their files, without opening them. An index that is dropped
/// meanwhile is left out.
Result<std::string> EngineImpl::describe_all() {
  FileSystem& files = files_;
  std::string lines;
  std::set<std::string> names;
  std::vector<std::pair<uint32_t, Status>> unreadable;
  const auto append = [&](std::string_view name, const std::string& description) {
    lines += description;
    lines += '\n';
    names.emplace(name);
  };
  for (const uint32_t number : indices_.numbers()) {
    if (const std::shared_ptr<Index> index = indices_.find_open(number)) {
      append(index->name(), index->describe());
      continue;
    }
    const Result<IndexMeta> meta = read_index_meta(files, index_dir(number));
    if (!meta.ok() && !files.exists(index_dir(number))) continue;
    Status why = indices_.out_of_service(number);
    if (why.ok()) why = meta.status();
    if (why.ok()) {
      append(meta->name(), describe_index(number, meta->uuid, meta->spec, 1, meta->mappings));
    } else {
      unreadable.emplace_back(number, why);
    }
  }
  // Last, so that a guessed name never takes the name of another index.
  for (const auto& [number, why] : unreadable) {
    const IndexMeta guess = guess_index_meta(files, index_dir(number), number);
    std::string name = guess.name();
    if (name.empty() || names.contains(name)) name = "damaged-" + std::to_string(number);
    append(name, describe_damaged(guess, name, why.reason()));
  }
  return lines;
}

std::string EngineImpl::damages() {
  std::string json = "[";
  const auto append = [&json](uint32_t index, const std::string& shard, const Status& why) {
    if (json.size() > 1) json += ',';
    json += "{\"index\":" + std::to_string(index) + ",\"shard\":" + shard + ",\"reason\":";
    append_json_string(json, why.reason());
    json += '}';
  };
  for (const auto& [number, why] : indices_.out_of_service()) append(number, "null", why);
  for (const std::shared_ptr<Index>& index : indices_.open()) {
    for (uint32_t i = 0; i < index->shard_count(); i++) {
      const Shard& shard = index->shard(i);
      if (shard.damaged()) append(index->number(), std::to_string(i), shard.damage());
    }
  }
  return json + "]";
}

Result<std::string> EngineImpl::index_stats(uint32_t number) {
  QUARRY_ASSIGN_OR_RETURN(const std::shared_ptr<Index> index, find_index(number));
  return index_stats_json(*index, indices_.earlier_totals(number));
}

std::string EngineImpl::node_stats() { return node_stats_json(indices_.sums(), *log_, filters_); }

Result<std::string> EngineImpl::analyze(uint32_t number, std::string_view request_json) {
  if (number == UINT32_MAX) return analyze_json(request_json, nullptr, "");
  QUARRY_ASSIGN_OR_RETURN(const std::shared_ptr<Index> index, find_index(number));
  const std::shared_ptr<const Mapping> mapping = index->mapping();
  return analyze_json(request_json, mapping.get(), index->settings_json());
}

}  // namespace quarry
