// Copies of whole indexes: pins, whose bytes the caller copies elsewhere, and folders of restored
// files that become an index after they were checked.
#include <algorithm>
#include <utility>

#include "base/page_cache.h"
#include "engine/engine_impl.h"
#include "engine/recovery/restored_folder.h"

namespace quarry {

Result<std::string> EngineImpl::pin_index(uint32_t number) {
  QUARRY_ASSIGN_OR_RETURN(const std::shared_ptr<Index> index, find_index(number));
  QUARRY_ASSIGN_OR_RETURN(const std::shared_ptr<const IndexPin> pin, index->pin());
  return pin->to_json(pins_.add(pin));
}

Result<std::vector<uint8_t>> EngineImpl::read_pinned(uint32_t number, uint32_t file,
                                                     uint64_t offset, uint32_t length) {
  const std::shared_ptr<const IndexPin> pin = pins_.find(number);
  if (pin == nullptr || file >= pin->files().size()) {
    return Status(ErrorType::kIllegalArgument, "no file [" + std::to_string(file) + "] of a pin [" +
                                                   std::to_string(number) + "]");
  }
  const PinnedFile& pinned = pin->files()[file];
  if (offset >= pinned.bytes.size()) return std::vector<uint8_t>();
  const Bytes part =
      pinned.bytes.subspan(offset, std::min<uint64_t>(length, pinned.bytes.size() - offset));
  std::vector<uint8_t> copy(part.begin(), part.end());
  QUARRY_RETURN_IF_ERROR(pin->sound());
  // Drops the pages from the process; searches that need them get them back from the page cache.
  if (pinned.mapped) release_pages(part);
  return copy;
}

Status EngineImpl::unpin(uint32_t number) {
  pins_.erase(number);
  return {};
}

Result<std::string> EngineImpl::prepare_restore(std::string_view request_json) {
  FileSystem& files = files_;
  QUARRY_RETURN_IF_ERROR(log_->state());
  QUARRY_ASSIGN_OR_RETURN(const JsonValue request, JsonValue::parse(request_json));
  QUARRY_ASSIGN_OR_RETURN(const uint32_t shards, read_shard_count(request));
  const JsonValue* bytes = request.find("bytes");
  const int64_t needed = bytes == nullptr ? 0 : bytes->as_int().value_or(0);
  QUARRY_RETURN_IF_ERROR(
      space_->admit(static_cast<uint64_t>(std::max<int64_t>(needed, 0)), owed_bytes_.load()));
  const std::lock_guard lock(admin_mutex_);
  QUARRY_ASSIGN_OR_RETURN(const uint32_t number, identity_.take_index_number());
  // The next start removes a folder with this name.
  const std::string folder = index_dir(number) + ".new";
  for (uint32_t i = 0; i < shards; i++) {
    const Status made = files.create_dirs(folder + "/" + std::to_string(i));
    if (made.ok()) continue;
    static_cast<void>(files.remove_tree(folder));
    return made;
  }
  restoring_[number] = false;
  std::string json = R"({"number":)" + std::to_string(number) + R"(,"folder":)";
  append_json_string(json, folder);
  return json + "}";
}

/// The folder of the restore `number`, if it was prepared; sets whether it was checked to
/// `checked`.
Result<std::string> EngineImpl::restored_folder(uint32_t number, bool must_be_checked,
                                                bool checked) {
  const std::lock_guard lock(admin_mutex_);
  return restored_folder_locked(number, must_be_checked, checked);
}

Result<std::string> EngineImpl::restored_folder_locked(uint32_t number, bool must_be_checked,
                                                       bool checked) {
  const auto found = restoring_.find(number);
  if (found == restoring_.end() || (must_be_checked && !found->second)) {
    return Status(ErrorType::kIllegalArgument,
                  "no restore [" + std::to_string(number) + "] was " +
                      (found == restoring_.end() ? "prepared" : "checked"));
  }
  found->second = checked;
  return index_dir(number) + ".new";
}

Status EngineImpl::check_restore(uint32_t number, std::string_view request_json) {
  FileSystem& files = files_;
  QUARRY_ASSIGN_OR_RETURN(const std::string folder, restored_folder(number, false, false));
  QUARRY_ASSIGN_OR_RETURN(const JsonValue request, JsonValue::parse(request_json));
  QUARRY_ASSIGN_OR_RETURN(const uint32_t shards, read_shard_count(request));
  QUARRY_ASSIGN_OR_RETURN(const std::vector<ExpectedFiles> expected,
                          read_expected_files(request.find("files"), shards));
  for (uint32_t i = 0; i < shards; i++) {
    QUARRY_RETURN_IF_ERROR(check_restored_shard(files, folder, i, expected[i]));
  }
  return restored_folder(number, false, true).status();
}

Result<std::string> EngineImpl::finish_restore(uint32_t number, std::string_view spec_json) {
  FileSystem& files = files_;
  QUARRY_ASSIGN_OR_RETURN(const std::string folder, restored_folder(number, true, true));
  const std::string dir = index_dir(number);
  QUARRY_RETURN_IF_ERROR(Index::create(node_, number, spec_json, folder, dir).status());
  QUARRY_RETURN_IF_ERROR(files.sync_dir(folder));
  const std::lock_guard lock(admin_mutex_);
  QUARRY_RETURN_IF_ERROR(log_->state());
  Status status = files.rename(folder, dir);
  if (status.ok()) status = files.sync_dir(indices_dir());
  Result<std::shared_ptr<Index>> index =
      status.ok() ? Index::load(node_, dir) : Result<std::shared_ptr<Index>>(status);
  if (!index.ok()) {
    // With this name it can be aborted, or the next start removes it.
    static_cast<void>(files.rename(dir, folder));
    return index.status();
  }
  restoring_.erase(number);
  indices_.put(*index);
  return (*index)->describe();
}

Status EngineImpl::abort_restore(uint32_t number) {
  {
    const std::lock_guard lock(admin_mutex_);
    if (restoring_.erase(number) == 0) return {};
  }
  return files_.remove_tree(index_dir(number) + ".new");
}

}  // namespace quarry
