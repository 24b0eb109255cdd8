// A file system in which some files cannot be read temporarily, as with a disk that does not
// respond, a missing permission, or a process without free descriptors.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/file.h"

namespace quarry::testing {

/// Forwards all operations except reads of files whose path contains `unreadable` (empty: none).
class UnreadableFiles final : public FileSystem {
 public:
  explicit UnreadableFiles(FileSystem& below) : below_(below) {}

  std::string unreadable;

  Result<std::unique_ptr<WritableFile>> create(const std::string& path) override {
    return below_.create(path);
  }
  Result<std::shared_ptr<ByteSource>> map(const std::string& path) override {
    if (is_unreadable(path)) return refusal(path);
    return below_.map(path);
  }
  Result<std::vector<uint8_t>> read(const std::string& path) override {
    if (is_unreadable(path)) return refusal(path);
    return below_.read(path);
  }
  Status rename(const std::string& from, const std::string& to) override {
    return below_.rename(from, to);
  }
  Status remove(const std::string& path) override { return below_.remove(path); }
  Status remove_tree(const std::string& path) override { return below_.remove_tree(path); }
  Status create_dirs(const std::string& path) override { return below_.create_dirs(path); }
  Status sync_dir(const std::string& path) override { return below_.sync_dir(path); }
  Result<std::vector<std::string>> list(const std::string& path) override {
    return below_.list(path);
  }
  bool exists(const std::string& path) override { return below_.exists(path); }
  Result<uint64_t> file_size(const std::string& path) override { return below_.file_size(path); }
  Result<uint64_t> free_bytes(const std::string& path) override { return below_.free_bytes(path); }
  Result<uint64_t> disk_bytes(const std::string& path) override { return below_.disk_bytes(path); }
  Status sync_file(const std::string& path) override { return below_.sync_file(path); }
  Result<std::shared_ptr<void>> lock(const std::string& path) override { return below_.lock(path); }

 private:
  bool is_unreadable(const std::string& path) const {
    return !unreadable.empty() && path.find(unreadable) != std::string::npos;
  }
  static Status refusal(const std::string& path) {
    return {ErrorType::kStore, "failed to open [" + path + "]: Too many open files"};
  }

  FileSystem& below_;
};

}  // namespace quarry::testing
