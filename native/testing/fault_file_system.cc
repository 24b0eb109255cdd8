#include "testing/fault_file_system.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/kill_point.h"
#include "base/sync_watch.h"

namespace quarry::testing {
namespace {

constexpr std::array<std::string_view, 15> kOpNames = {
    "create", "append",   "overwrite", "reserve", "sync", "rename", "remove", "remove tree",
    "mkdir",  "sync dir", "sync file", "map",     "read", "list",   ""};

bool changes(DiskOp op) { return op < DiskOp::kMap; }

Status absent(const std::string& path) {
  return {ErrorType::kStore, "no such file or folder [" + path + "]"};
}
Status off(std::string_view path) {
  return {ErrorType::kStore, "the process has ended at [" + std::string(path) + "]"};
}
Status input_output_error(std::string_view path) {
  return {ErrorType::kStore, "injected input/output error on [" + std::string(path) + "]"};
}
Status no_space(std::string_view path) {
  return {ErrorType::kClusterBlock, "no space left on device for [" + std::string(path) + "]"};
}

/// The kind of a file or folder: its name without the number that distinguishes it from its
/// siblings.
std::string kind_of(std::string_view path) {
  const std::string_view name = path.substr(path.rfind('/') + 1);
  if (name.ends_with(".log")) return "log";
  if (name.starts_with("seg-")) return "seg" + std::string(name.substr(name.rfind('.')));
  if (name.find_first_not_of("0123456789") != std::string_view::npos) {
    const bool numbered = name[0] >= '0' && name[0] <= '9';
    return numbered ? "index" + std::string(name.substr(name.rfind('.'))) : std::string(name);
  }
  const std::string_view parent = path.substr(0, path.size() - name.size() - 1);
  return parent.ends_with("/indices") ? "index" : "shard";
}

}  // namespace

std::string event_name(const DiskEvent& event) {
  if (event.op == DiskOp::kPoint) return std::string(event.path);
  return std::string(kOpNames[static_cast<size_t>(event.op)]) + " " + kind_of(event.path);
}

class FaultFile final : public WritableFile {
 public:
  FaultFile(FaultFileSystem& files, DiskNodePtr file, std::string path)
      : files_(files), file_(std::move(file)), path_(std::move(path)) {}
  Status append(Bytes bytes) override { return files_.append(*file_, bytes, path_); }
  Status overwrite_start(Bytes bytes) override { return files_.overwrite(*file_, bytes, path_); }
  Status sync() override { return files_.sync(*file_, path_, DiskOp::kSync); }
  Status reserve(uint64_t bytes) override { return files_.reserve(*file_, bytes, path_); }
  Status close() override { return {}; }
  uint64_t size() const override {
    const std::lock_guard lock(files_.mutex_);
    return file_->written;
  }

 private:
  FaultFileSystem& files_;
  DiskNodePtr file_;
  std::string path_;
};

FaultFileSystem::FaultFileSystem() : root_(std::make_shared<DiskNode>()) { root_->folder = true; }

std::unique_ptr<FaultFileSystem> FaultFileSystem::after_crash(uint64_t seed) const {
  const std::lock_guard lock(mutex_);
  Random random(seed);
  auto next = std::make_unique<FaultFileSystem>();
  next->root_ = root_->after_power_cut(random);
  return next;
}

void FaultFileSystem::revive() {
  const std::lock_guard lock(mutex_);
  dead_ = false;
  root_->heal();
}

bool FaultFileSystem::dead() const {
  const std::lock_guard lock(mutex_);
  return dead_;
}

void FaultFileSystem::set_script(Script script, uint64_t seed) {
  const std::lock_guard lock(mutex_);
  script_ = std::move(script);
  random_ = Random(seed);
}

/// The caller holds mutex_.
template <typename Act>
Status FaultFileSystem::run(const DiskEvent& event, Act act) {
  if (dead_) return off(event.path);
  if (changes(event.op)) {
    operations_++;
    if (fail_at_ >= 0 && operations_ >= fail_at_) return input_output_error(event.path);
  }
  const DiskVerdict verdict = script_ ? script_(event) : DiskVerdict::kGo;
  const bool writes = event.op == DiskOp::kAppend || event.op == DiskOp::kOverwrite;
  const double part = static_cast<double>(random_.below(1000)) / 1000;
  switch (verdict) {
    case DiskVerdict::kGo:
      return act(1.0);
    case DiskVerdict::kFail:
      if (writes) static_cast<void>(act(part));
      return input_output_error(event.path);
    case DiskVerdict::kFull:
      if (writes) static_cast<void>(act(part));
      return no_space(event.path);
    case DiskVerdict::kDieBefore:
      break;
    case DiskVerdict::kDieDuring:
      if (writes) static_cast<void>(act(part));
      break;
    case DiskVerdict::kDieAfter:
      static_cast<void>(act(1.0));
      break;
  }
  dead_ = true;
  return off(event.path);
}

void FaultFileSystem::reached(std::string_view point) {
  std::function<void(std::string_view)> visitor;
  {
    const std::lock_guard lock(mutex_);
    static_cast<void>(run({DiskOp::kPoint, point}, [](double) { return Status(); }));
    if (!dead_) visitor = visitor_;
  }
  if (visitor) visitor(point);
}

void FaultFileSystem::set_visitor(std::function<void(std::string_view)> visitor) {
  const std::lock_guard lock(mutex_);
  visitor_ = std::move(visitor);
}

/// Null when nothing exists at the path.
DiskNodePtr FaultFileSystem::find(const std::string& path) const {
  DiskNodePtr node = root_;
  for (size_t at = 1; at < path.size() && node != nullptr;) {
    const size_t slash = std::min(path.find('/', at), path.size());
    const auto found = node->names.find(path.substr(at, slash - at));
    node = found == node->names.end() ? nullptr : found->second;
    at = slash + 1;
  }
  return node;
}

/// Null when the folder is missing.
DiskNodePtr FaultFileSystem::parent_of(const std::string& path, std::string& name) const {
  const size_t slash = path.rfind('/');
  name = path.substr(slash + 1);
  const DiskNodePtr parent = find(path.substr(0, slash));
  return parent != nullptr && parent->folder ? parent : nullptr;
}

Status FaultFileSystem::grow(DiskNode& file, size_t size, const std::string& path) {
  if (size <= file.bytes.size()) return {};
  if (root_->used() + size - file.bytes.size() > capacity_) return no_space(path);
  return {};
}

Status FaultFileSystem::append(DiskNode& file, Bytes bytes, const std::string& path) {
  const std::lock_guard lock(mutex_);
  return run({DiskOp::kAppend, path}, [&](double share) -> Status {
    const auto size = static_cast<size_t>(share * static_cast<double>(bytes.size()));
    QUARRY_RETURN_IF_ERROR(grow(file, file.written + size, path));
    file.write(file.written, bytes.first(size));
    file.written += size;
    return {};
  });
}

Status FaultFileSystem::overwrite(DiskNode& file, Bytes bytes, const std::string& path) {
  const std::lock_guard lock(mutex_);
  return run({DiskOp::kOverwrite, path}, [&](double share) {
    file.write(0, bytes.first(static_cast<size_t>(share * static_cast<double>(bytes.size()))));
    return Status();
  });
}

Status FaultFileSystem::reserve(DiskNode& file, uint64_t bytes, const std::string& path) {
  const std::lock_guard lock(mutex_);
  return run({DiskOp::kReserve, path}, [&](double) -> Status {
    QUARRY_RETURN_IF_ERROR(grow(file, bytes, path));
    file.resize(std::max<size_t>(file.bytes.size(), bytes));
    return {};
  });
}

Status FaultFileSystem::sync(DiskNode& node, const std::string& path, DiskOp op) {
  const std::lock_guard lock(mutex_);
  Status status = run({op, path}, [&](double) -> Status {
    if (fail_syncs_) return {ErrorType::kStore, "injected failure to sync [" + path + "]"};
    syncs_++;
    node.sync();
    return {};
  });
  if (!status.ok() && !dead_) node.fail_sync();
  return status;
}

Result<std::unique_ptr<WritableFile>> FaultFileSystem::create(const std::string& path) {
  const std::lock_guard lock(mutex_);
  auto file = std::make_shared<DiskNode>();
  QUARRY_RETURN_IF_ERROR(run({DiskOp::kCreate, path}, [&](double) -> Status {
    std::string name;
    const DiskNodePtr parent = parent_of(path, name);
    if (parent == nullptr) return absent(path);
    parent->change({"", name, file});
    return {};
  }));
  return std::unique_ptr<WritableFile>(std::make_unique<FaultFile>(*this, file, path));
}

Result<std::shared_ptr<ByteSource>> FaultFileSystem::map(const std::string& path) {
  const std::lock_guard lock(mutex_);
  QUARRY_RETURN_IF_ERROR(run({DiskOp::kMap, path}, [](double) { return Status(); }));
  const DiskNodePtr node = find(path);
  if (node == nullptr || node->folder) return absent(path);
  return make_heap_source(node->bytes);
}

Result<std::vector<uint8_t>> FaultFileSystem::read(const std::string& path) {
  const std::lock_guard lock(mutex_);
  QUARRY_RETURN_IF_ERROR(run({DiskOp::kRead, path}, [](double) { return Status(); }));
  const DiskNodePtr node = find(path);
  if (node == nullptr || node->folder) return absent(path);
  return node->bytes;
}

Status FaultFileSystem::rename(const std::string& from, const std::string& to) {
  const std::lock_guard lock(mutex_);
  return run({DiskOp::kRename, from}, [&](double) -> Status {
    std::string from_name;
    std::string to_name;
    const DiskNodePtr parent = parent_of(from, from_name);
    const DiskNodePtr target = parent_of(to, to_name);
    const DiskNodePtr node = find(from);
    if (node == nullptr || target == nullptr) return absent(from);
    if (parent == target) {
      parent->change({from_name, to_name, node});
      return {};
    }
    target->change({"", to_name, node});
    parent->change({from_name, "", nullptr});
    return {};
  });
}

Status FaultFileSystem::remove(const std::string& path) {
  const std::lock_guard lock(mutex_);
  return run({DiskOp::kRemove, path}, [&](double) -> Status {
    std::string name;
    const DiskNodePtr parent = parent_of(path, name);
    if (find(path) != nullptr) parent->change({name, "", nullptr});
    return {};
  });
}

Status FaultFileSystem::remove_tree(const std::string& path) {
  const std::lock_guard lock(mutex_);
  return run({DiskOp::kRemoveTree, path}, [&](double) -> Status {
    std::string name;
    const DiskNodePtr parent = parent_of(path, name);
    if (find(path) != nullptr) parent->change({name, "", nullptr});
    return {};
  });
}

Status FaultFileSystem::create_dirs(const std::string& path) {
  const std::lock_guard lock(mutex_);
  for (size_t slash = path.find('/', 1);; slash = path.find('/', slash + 1)) {
    const std::string dir = path.substr(0, slash);
    if (find(dir) == nullptr) {
      QUARRY_RETURN_IF_ERROR(run({DiskOp::kCreateDir, dir}, [&](double) {
        auto made = std::make_shared<DiskNode>();
        made->folder = true;
        std::string name;
        const DiskNodePtr parent = parent_of(dir, name);
        parent->change({"", name, std::move(made)});
        return Status();
      }));
    }
    if (slash == std::string::npos) return {};
  }
}

Status FaultFileSystem::sync_dir(const std::string& path) {
  DiskNodePtr node;
  {
    const std::lock_guard lock(mutex_);
    node = find(path);
  }
  return node == nullptr ? absent(path) : sync(*node, path, DiskOp::kSyncDir);
}

Status FaultFileSystem::sync_file(const std::string& path) {
  DiskNodePtr node;
  {
    const std::lock_guard lock(mutex_);
    node = find(path);
  }
  return node == nullptr ? absent(path) : sync(*node, path, DiskOp::kSyncFile);
}

Result<std::vector<std::string>> FaultFileSystem::list(const std::string& path) {
  const std::lock_guard lock(mutex_);
  QUARRY_RETURN_IF_ERROR(run({DiskOp::kList, path}, [](double) { return Status(); }));
  const DiskNodePtr node = find(path);
  if (node == nullptr || !node->folder) return absent(path);
  std::vector<std::string> names;
  for (const auto& [name, child] : node->names) names.push_back(name);
  return names;
}

bool FaultFileSystem::exists(const std::string& path) {
  const std::lock_guard lock(mutex_);
  return find(path) != nullptr;
}

Result<uint64_t> FaultFileSystem::file_size(const std::string& path) {
  const std::lock_guard lock(mutex_);
  const DiskNodePtr node = find(path);
  if (node == nullptr) return absent(path);
  return uint64_t{node->bytes.size()};
}

Result<uint64_t> FaultFileSystem::free_bytes(const std::string&) {
  const std::lock_guard lock(mutex_);
  const uint64_t bytes = root_->used();
  return bytes < capacity_ ? capacity_ - bytes : 0;
}

Result<uint64_t> FaultFileSystem::disk_bytes(const std::string&) {
  const std::lock_guard lock(mutex_);
  return capacity_;
}

Result<std::shared_ptr<void>> FaultFileSystem::lock(const std::string& path) {
  const std::lock_guard lock(mutex_);
  if (!locks_.insert(path).second) return Status(ErrorType::kStore, "[" + path + "] is locked");
  return std::shared_ptr<void>(nullptr, [this, path](void*) {
    const std::lock_guard unlock(mutex_);
    locks_.erase(path);
  });
}

void FaultFileSystem::damage(const std::string& path, size_t offset, uint8_t flip) {
  const std::lock_guard lock(mutex_);
  find(path)->bytes.at(offset) ^= flip;
}

void FaultFileSystem::set_capacity(uint64_t bytes) {
  const std::lock_guard lock(mutex_);
  capacity_ = bytes;
}

void FaultFileSystem::fail_syncs(bool fail) {
  const std::lock_guard lock(mutex_);
  fail_syncs_ = fail;
}

void FaultFileSystem::fail_after(int64_t count) {
  const std::lock_guard lock(mutex_);
  fail_at_ = count < 0 ? -1 : operations_ + count;
}

int64_t FaultFileSystem::operations() const {
  const std::lock_guard lock(mutex_);
  return operations_;
}

uint64_t FaultFileSystem::syncs() const {
  const std::lock_guard lock(mutex_);
  return syncs_;
}

uint64_t FaultFileSystem::used() const {
  const std::lock_guard lock(mutex_);
  return root_->used();
}

}  // namespace quarry::testing

namespace quarry {

void kill_point(FileSystem& files, std::string_view name) {
  if (auto* watch = dynamic_cast<SyncWatch*>(&files)) return kill_point(watch->watched(), name);
  if (auto* disk = dynamic_cast<testing::FaultFileSystem*>(&files)) disk->reached(name);
}

}  // namespace quarry
