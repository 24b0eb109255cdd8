#include "testing/fault_file_system.h"

#include <algorithm>
#include <utility>

namespace quarry::testing {
namespace {

constexpr size_t kBlock = 512;

std::string parent(const std::string& path) {
  const size_t slash = path.rfind('/');
  return slash == std::string::npos || slash == 0 ? "/" : path.substr(0, slash);
}

bool is_below(const std::string& path, const std::string& dir) {
  return path.size() > dir.size() && path.starts_with(dir) && path[dir.size()] == '/';
}

Status absent(const std::string& path) {
  return {ErrorType::kStore, "no such file or folder [" + path + "]"};
}

/// What of `bytes` is on the disk when only `durable` was synced.
std::vector<uint8_t> survivors(const std::vector<uint8_t>& durable,
                               const std::vector<uint8_t>& bytes, Random& random) {
  switch (random.below(4)) {
    case 0:
      return durable;
    case 1:
      return bytes;
    case 2: {
      std::vector<uint8_t> cut = bytes;
      if (bytes.size() > durable.size()) {
        cut.resize(durable.size() + random.below(bytes.size() - durable.size() + 1));
      }
      return cut;
    }
    default:
      break;
  }
  std::vector<uint8_t> mixed = durable;
  mixed.resize(std::max(durable.size(), bytes.size()), 0);
  for (size_t at = 0; at < bytes.size(); at += kBlock) {
    if (random.below(2) == 0) continue;
    const size_t size = std::min(kBlock, bytes.size() - at);
    std::copy_n(bytes.begin() + static_cast<std::ptrdiff_t>(at), size,
                mixed.begin() + static_cast<std::ptrdiff_t>(at));
  }
  return mixed;
}

}  // namespace

class FaultFile final : public WritableFile {
 public:
  FaultFile(FaultFileSystem& files, FaultFileSystem::FilePtr file, std::string path)
      : files_(files), file_(std::move(file)), path_(std::move(path)) {}
  Status append(Bytes bytes) override { return files_.append(*file_, bytes, path_); }
  Status overwrite_start(Bytes bytes) override {
    const std::lock_guard lock(files_.mutex_);
    QUARRY_RETURN_IF_ERROR(files_.may_change(path_));
    std::copy(bytes.begin(), bytes.end(), file_->bytes.begin());
    return {};
  }
  Status sync() override { return files_.sync(*file_, path_); }
  Status reserve(uint64_t bytes) override {
    const std::lock_guard lock(files_.mutex_);
    QUARRY_RETURN_IF_ERROR(files_.may_change(path_));
    return files_.grow(*file_, bytes, path_);
  }
  Status close() override { return {}; }
  uint64_t size() const override {
    const std::lock_guard lock(files_.mutex_);
    return file_->written;
  }

 private:
  FaultFileSystem& files_;
  FaultFileSystem::FilePtr file_;
  std::string path_;
};

FaultFileSystem::FaultFileSystem() {
  names_["/"] = nullptr;
  durable_names_["/"] = nullptr;
}

std::unique_ptr<FaultFileSystem> FaultFileSystem::after_crash(uint64_t seed) const {
  const std::lock_guard lock(mutex_);
  Random random(seed);
  auto next = std::make_unique<FaultFileSystem>();
  Names names = durable_names_;
  const size_t kept = random.below(3) == 0 ? 0 : random.below(pending_.size() + 1);
  for (size_t i = 0; i < kept; i++) apply(names, pending_[i]);
  std::map<const File*, FilePtr> copies;
  for (auto& [path, file] : names) {
    if (file == nullptr) continue;
    FilePtr& copy = copies[file.get()];
    if (copy == nullptr) {
      copy = std::make_shared<File>();
      copy->bytes = survivors(file->durable, file->bytes, random);
      copy->durable = copy->bytes;
      copy->written = copy->bytes.size();
    }
    file = copy;
  }
  next->names_ = names;
  next->durable_names_ = std::move(names);
  return next;
}

void FaultFileSystem::apply(Names& names, const NameChange& change) {
  if (!change.from.empty()) {
    Names moved;
    for (auto at = names.begin(); at != names.end();) {
      if (at->first != change.from && !is_below(at->first, change.from)) {
        ++at;
        continue;
      }
      if (!change.to.empty()) moved[change.to + at->first.substr(change.from.size())] = at->second;
      at = names.erase(at);
    }
    for (auto& [path, file] : moved) names[path] = file;
    return;
  }
  names[change.to] = change.file;
}

void FaultFileSystem::change(NameChange change) {
  apply(names_, change);
  pending_.push_back(std::move(change));
}

Status FaultFileSystem::may_change(const std::string& path) {
  operations_++;
  if (fail_at_ < 0 || operations_ < fail_at_) return {};
  return {ErrorType::kStore, "injected input/output error on [" + path + "]"};
}

uint64_t FaultFileSystem::used() const {
  std::set<const File*> seen;
  uint64_t bytes = 0;
  for (const auto& [path, file] : names_) {
    if (file != nullptr && seen.insert(file.get()).second) bytes += file->bytes.size();
  }
  return bytes;
}

Status FaultFileSystem::grow(File& file, uint64_t size, const std::string& path) {
  if (size <= file.bytes.size()) return {};
  if (used() + size - file.bytes.size() > capacity_) {
    return {ErrorType::kClusterBlock, "no space left on device for [" + path + "]"};
  }
  file.bytes.resize(size, 0);
  return {};
}

Status FaultFileSystem::append(File& file, Bytes bytes, const std::string& path) {
  const std::lock_guard lock(mutex_);
  QUARRY_RETURN_IF_ERROR(may_change(path));
  QUARRY_RETURN_IF_ERROR(grow(file, file.written + bytes.size(), path));
  std::copy(bytes.begin(), bytes.end(),
            file.bytes.begin() + static_cast<std::ptrdiff_t>(file.written));
  file.written += bytes.size();
  return {};
}

Status FaultFileSystem::sync(File& file, const std::string& path) {
  const std::lock_guard lock(mutex_);
  QUARRY_RETURN_IF_ERROR(may_change(path));
  if (fail_syncs_) return {ErrorType::kStore, "injected failure to sync [" + path + "]"};
  syncs_++;
  file.durable = file.bytes;
  return {};
}

Result<std::unique_ptr<WritableFile>> FaultFileSystem::create(const std::string& path) {
  const std::lock_guard lock(mutex_);
  QUARRY_RETURN_IF_ERROR(may_change(path));
  if (!names_.contains(parent(path))) return absent(parent(path));
  auto file = std::make_shared<File>();
  change({parent(path), "", path, file});
  return std::unique_ptr<WritableFile>(std::make_unique<FaultFile>(*this, file, path));
}

Result<std::shared_ptr<ByteSource>> FaultFileSystem::map(const std::string& path) {
  QUARRY_ASSIGN_OR_RETURN(std::vector<uint8_t> bytes, read(path));
  return make_heap_source(std::move(bytes));
}

Result<std::vector<uint8_t>> FaultFileSystem::read(const std::string& path) {
  const std::lock_guard lock(mutex_);
  const auto found = names_.find(path);
  if (found == names_.end() || found->second == nullptr) return absent(path);
  return found->second->bytes;
}

Status FaultFileSystem::rename(const std::string& from, const std::string& to) {
  const std::lock_guard lock(mutex_);
  QUARRY_RETURN_IF_ERROR(may_change(from));
  if (!names_.contains(from)) return absent(from);
  change({parent(to), from, to, nullptr});
  return {};
}

Status FaultFileSystem::remove(const std::string& path) {
  const std::lock_guard lock(mutex_);
  QUARRY_RETURN_IF_ERROR(may_change(path));
  if (names_.contains(path)) change({parent(path), path, "", nullptr});
  return {};
}

Status FaultFileSystem::remove_tree(const std::string& path) { return remove(path); }

Status FaultFileSystem::create_dirs(const std::string& path) {
  const std::lock_guard lock(mutex_);
  for (size_t slash = path.find('/', 1);; slash = path.find('/', slash + 1)) {
    const std::string dir = path.substr(0, slash);
    if (!names_.contains(dir)) {
      QUARRY_RETURN_IF_ERROR(may_change(dir));
      change({parent(dir), "", dir, nullptr});
    }
    if (slash == std::string::npos) return {};
  }
}

Status FaultFileSystem::sync_dir(const std::string& path) {
  const std::lock_guard lock(mutex_);
  QUARRY_RETURN_IF_ERROR(may_change(path));
  if (!names_.contains(path)) return absent(path);
  if (fail_syncs_) return {ErrorType::kStore, "injected failure to sync [" + path + "]"};
  std::vector<NameChange> left;
  for (NameChange& pending : pending_) {
    if (pending.dir == path) {
      apply(durable_names_, pending);
    } else {
      left.push_back(std::move(pending));
    }
  }
  pending_ = std::move(left);
  return {};
}

Result<std::vector<std::string>> FaultFileSystem::list(const std::string& path) {
  const std::lock_guard lock(mutex_);
  if (!names_.contains(path)) return absent(path);
  std::vector<std::string> names;
  for (const auto& [name, file] : names_) {
    if (name != path && parent(name) == path) names.push_back(name.substr(path.size() + 1));
  }
  std::sort(names.begin(), names.end());
  return names;
}

bool FaultFileSystem::exists(const std::string& path) {
  const std::lock_guard lock(mutex_);
  return names_.contains(path);
}

Result<uint64_t> FaultFileSystem::file_size(const std::string& path) {
  QUARRY_ASSIGN_OR_RETURN(const std::vector<uint8_t> bytes, read(path));
  return uint64_t{bytes.size()};
}

Result<uint64_t> FaultFileSystem::free_bytes(const std::string&) {
  const std::lock_guard lock(mutex_);
  const uint64_t bytes = used();
  return bytes < capacity_ ? capacity_ - bytes : 0;
}

Result<uint64_t> FaultFileSystem::disk_bytes(const std::string&) {
  const std::lock_guard lock(mutex_);
  return capacity_;
}

Status FaultFileSystem::sync_file(const std::string& path) {
  FilePtr file;
  {
    const std::lock_guard lock(mutex_);
    const auto found = names_.find(path);
    if (found == names_.end() || found->second == nullptr) return absent(path);
    file = found->second;
  }
  return sync(*file, path);
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
  File& file = *names_.at(path);
  file.bytes.at(offset) ^= flip;
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

}  // namespace quarry::testing
