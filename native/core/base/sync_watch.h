// A file system that refuses all writes once a sync has failed. It is unknown what the kernel has
// kept of the data, and a second successful sync proves nothing, so no change may rely on it until
// a restart has read what is on disk.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "base/file.h"

namespace quarry {

/// Thread-safe; forwards to `files`, which must outlive it. A lack of file descriptors does not
/// count as a failed sync, because nothing was attempted. A lack of space counts for a folder, but
/// not for a file, whose content is then discarded.
class SyncWatch final : public FileSystem {
 public:
  explicit SyncWatch(FileSystem& files) : files_(files) {}

  /// Ok, or the first failed sync of a file or folder (ErrorType::kStore). After it, reads continue
  /// and all other calls fail with this status.
  Status failure() const;
  FileSystem& watched() const { return files_; }

  Result<std::unique_ptr<WritableFile>> create(const std::string& path) override;
  Status rename(const std::string& from, const std::string& to) override;
  Status remove(const std::string& path) override;
  Status remove_tree(const std::string& path) override;
  Status create_dirs(const std::string& path) override;
  Status sync_dir(const std::string& path) override;
  Status sync_file(const std::string& path) override;

  Result<std::shared_ptr<ByteSource>> map(const std::string& path) override {
    return files_.map(path);
  }
  Result<std::vector<uint8_t>> read(const std::string& path) override { return files_.read(path); }
  Result<std::vector<std::string>> list(const std::string& path) override {
    return files_.list(path);
  }
  bool exists(const std::string& path) override { return files_.exists(path); }
  Result<uint64_t> file_size(const std::string& path) override { return files_.file_size(path); }
  Result<uint64_t> free_bytes(const std::string& path) override { return files_.free_bytes(path); }
  Result<uint64_t> disk_bytes(const std::string& path) override { return files_.disk_bytes(path); }
  Result<std::shared_ptr<void>> lock(const std::string& path) override { return files_.lock(path); }

  /// Records the outcome of a sync if it is a failure. Called by the files that create() returns.
  Status note(const std::string& path, bool folder, Status synced);

 private:
  FileSystem& files_;
  std::atomic<bool> failed_{false};
  mutable std::mutex mutex_;
  Status failure_;
};

}  // namespace quarry
