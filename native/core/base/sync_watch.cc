#include "base/sync_watch.h"

#include <utility>

namespace quarry {
namespace {

class WatchedFile final : public WritableFile {
 public:
  WatchedFile(SyncWatch& watch, std::string path, std::unique_ptr<WritableFile> file)
      : watch_(watch), path_(std::move(path)), file_(std::move(file)) {}
  Status append(Bytes bytes) override {
    QUARRY_RETURN_IF_ERROR(watch_.failure());
    return file_->append(bytes);
  }
  Status sync() override {
    QUARRY_RETURN_IF_ERROR(watch_.failure());
    return watch_.note(path_, false, file_->sync());
  }
  Status reserve(uint64_t bytes) override { return file_->reserve(bytes); }
  Status close() override { return file_->close(); }
  uint64_t size() const override { return file_->size(); }
  Status overwrite_start(Bytes bytes) override {
    QUARRY_RETURN_IF_ERROR(watch_.failure());
    return file_->overwrite_start(bytes);
  }

 private:
  SyncWatch& watch_;
  const std::string path_;
  std::unique_ptr<WritableFile> file_;
};

}  // namespace

Result<std::unique_ptr<WritableFile>> SyncWatch::create(const std::string& path) {
  QUARRY_RETURN_IF_ERROR(failure());
  QUARRY_ASSIGN_OR_RETURN(std::unique_ptr<WritableFile> file, files_.create(path));
  return std::unique_ptr<WritableFile>(std::make_unique<WatchedFile>(*this, path, std::move(file)));
}

Status SyncWatch::rename(const std::string& from, const std::string& to) {
  QUARRY_RETURN_IF_ERROR(failure());
  return files_.rename(from, to);
}
Status SyncWatch::remove(const std::string& path) {
  QUARRY_RETURN_IF_ERROR(failure());
  return files_.remove(path);
}
Status SyncWatch::remove_tree(const std::string& path) {
  QUARRY_RETURN_IF_ERROR(failure());
  return files_.remove_tree(path);
}
Status SyncWatch::create_dirs(const std::string& path) {
  QUARRY_RETURN_IF_ERROR(failure());
  return files_.create_dirs(path);
}
Status SyncWatch::sync_dir(const std::string& path) {
  QUARRY_RETURN_IF_ERROR(failure());
  return note(path, true, files_.sync_dir(path));
}
Status SyncWatch::sync_file(const std::string& path) {
  QUARRY_RETURN_IF_ERROR(failure());
  return note(path, false, files_.sync_file(path));
}

Status SyncWatch::failure() const {
  if (!failed_.load(std::memory_order_acquire)) return {};
  const std::lock_guard lock(mutex_);
  return failure_;
}

Status SyncWatch::note(const std::string& path, bool folder, Status synced) {
  const bool full = folder && synced.type() == ErrorType::kClusterBlock;
  if (synced.type() != ErrorType::kStore && !full) return synced;
  // The file was dropped meanwhile, possibly with its folder, so there was nothing to sync.
  if (!files_.exists(path)) return synced;
  const std::lock_guard lock(mutex_);
  if (failure_.ok()) {
    failure_ =
        Status(ErrorType::kStore, "writes have stopped, restart the service: " + synced.reason());
  }
  failed_.store(true, std::memory_order_release);
  return synced;
}

}  // namespace quarry
