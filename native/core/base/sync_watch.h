// A file layer that writes nothing more once a sync has failed. What the kernel kept of it nobody can know, and a second
// sync that succeeds proves nothing: until a restart has read what is really there, no change may build on it.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "base/file.h"

namespace quarry {

/// Thread-safe; passes everything on to `files`, which must outlive it. Want of descriptors is no failed sync: nothing was
/// tried. Nor is lack of space for a file: what was written of it is given up; but for a folder it is.
class SyncWatch final : public FileSystem {
 public:
  explicit SyncWatch(FileSystem& files) : files_(files) {}

  /// Ok, or the first failed sync of a file or folder (ErrorType::kStore): reads go on, all else has this answer.
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

  /// The outcome of a sync, remembered when it is a failure. For the files that create() makes.
  Status note(const std::string& path, bool folder, Status synced);

 private:
  FileSystem& files_;
  std::atomic<bool> failed_{false};
  mutable std::mutex mutex_;
  Status failure_;
};

}  // namespace quarry
