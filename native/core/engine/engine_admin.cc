// Index administration and descriptions.
#include <utility>

#include "engine/analyze.h"
#include "engine/engine_impl.h"
#include "engine/stats_json.h"

namespace quarry {

Result<std::shared_ptr<Index>> EngineImpl::find_index(uint32_t number) {
  QUARRY_ASSIGN_OR_RETURN(std::shared_ptr<Index> index, indices_.find(number));
  if (index != nullptr) return index;
  return Status(ErrorType::kIndexNotFound, "no such index [" + std::to_string(number) + "]");
}

Result<EngineImpl::OpenShard> EngineImpl::find_shard(ShardId id) {
  QUARRY_ASSIGN_OR_RETURN(std::shared_ptr<Index> index, find_index(id.index));
  if (id.shard >= index->shard_count()) {
    return Status(ErrorType::kIllegalArgument, "index [" + index->name() + "] has no shard [" +
                                                   std::to_string(id.shard) + "]");
  }
  Shard* shard = &index->shard(id.shard);
  return OpenShard{std::move(index), shard};
}

Result<std::string> EngineImpl::create_index(std::string_view spec_json) {
  FileSystem& files = *options_.file_system;
  QUARRY_RETURN_IF_ERROR(log_->state());
  const std::lock_guard lock(admin_mutex_);
  QUARRY_ASSIGN_OR_RETURN(const uint32_t number, identity_.take_index_number());
  const std::string dir = index_dir(number);
  const std::string unborn = dir + ".new";
  Result<std::shared_ptr<Index>> index = Index::create(node_, number, spec_json, unborn, dir);
  Status status = index.status();
  if (status.ok()) status = files.sync_dir(unborn);
  if (status.ok()) status = files.rename(unborn, dir);
  if (status.ok()) status = files.sync_dir(indices_dir());
  if (!status.ok()) {
    // Whatever is left carries a name that the next start removes.
    static_cast<void>(files.rename(dir, unborn));
    static_cast<void>(files.remove_tree(unborn));
    return status;
  }
  indices_.put(*index);
  return (*index)->describe();
}

Status EngineImpl::drop_index(uint32_t number) {
  FileSystem& files = *options_.file_system;
  const std::lock_guard lock(admin_mutex_);
  QUARRY_ASSIGN_OR_RETURN(const std::shared_ptr<Index> index, find_index(number));
  const std::string dir = index_dir(number);
  const std::string trash = dir + ".trash";
  index->stop();
  Status status = files.rename(dir, trash);
  if (status.ok()) status = files.sync_dir(indices_dir());
  if (!status.ok()) {
    static_cast<void>(files.rename(trash, dir));
    index->resume();
    return status;
  }
  indices_.erase(number);
  // The index is gone; its files follow, at the next start if not now.
  static_cast<void>(files.remove_tree(trash));
  static_cast<void>(release_log(false));
  return {};
}

Result<std::string> EngineImpl::put_mapping(uint32_t number, std::string_view mappings_json) {
  QUARRY_ASSIGN_OR_RETURN(const std::shared_ptr<Index> index, find_index(number));
  QUARRY_RETURN_IF_ERROR(index->put_mapping(mappings_json));
  return index->describe();
}

Result<std::string> EngineImpl::put_spec(uint32_t number, std::string_view members_json) {
  QUARRY_ASSIGN_OR_RETURN(const std::shared_ptr<Index> index, find_index(number));
  QUARRY_RETURN_IF_ERROR(index->put_spec(members_json));
  return index->describe();
}

Result<std::string> EngineImpl::describe(uint32_t number) {
  QUARRY_ASSIGN_OR_RETURN(const std::shared_ptr<Index> index, find_index(number));
  return index->describe();
}

/// Closed indexes are described by their files, which opens none. One that is dropped meanwhile is left out.
Result<std::string> EngineImpl::describe_all() {
  std::string json = "[";
  const auto append = [&json](const std::string& description) {
    if (json.size() > 1) json += ',';
    json += description;
  };
  for (const uint32_t number : indices_.numbers()) {
    if (const std::shared_ptr<Index> index = indices_.find_open(number)) {
      append(index->describe());
      continue;
    }
    const Result<IndexMeta> meta = read_index_meta(*options_.file_system, index_dir(number));
    if (!meta.ok() && !options_.file_system->exists(index_dir(number))) continue;
    QUARRY_RETURN_IF_ERROR(meta.status());
    append(describe_index(number, meta->uuid, meta->spec, 1, meta->mappings));
  }
  return json + "]";
}

Result<std::string> EngineImpl::index_stats(uint32_t number) {
  QUARRY_ASSIGN_OR_RETURN(const std::shared_ptr<Index> index, find_index(number));
  return index_stats_json(*index, indices_.earlier_totals(number));
}

std::string EngineImpl::node_stats() {
  return node_stats_json(indices_.sums(), *log_, filters_);
}

Result<std::string> EngineImpl::analyze(uint32_t number, std::string_view request_json) {
  if (number == UINT32_MAX) return analyze_json(request_json, nullptr, "");
  QUARRY_ASSIGN_OR_RETURN(const std::shared_ptr<Index> index, find_index(number));
  const std::shared_ptr<const Mapping> mapping = index->mapping();
  return analyze_json(request_json, mapping.get(), index->settings_json());
}

}  // namespace quarry
