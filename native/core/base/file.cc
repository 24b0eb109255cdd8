#include "base/file.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <optional>

#include "base/map_faults.h"

namespace quarry {
namespace {

// Only the user of the process may read documents, whatever the umask allows.
constexpr mode_t kFileMode = 0600;
constexpr mode_t kFolderMode = 0700;

Status io_error(std::string_view action, const std::string& path) {
  const int error = errno;
  ErrorType type = ErrorType::kStore;
  if (error == ENOSPC || error == EDQUOT) type = ErrorType::kClusterBlock;
  if (error == EMFILE || error == ENFILE) type = ErrorType::kRejected;
  return {type, std::string("failed to ") + std::string(action) + " [" + path +
                    "]: " + std::strerror(error)};
}

class HeapSource final : public ByteSource {
 public:
  explicit HeapSource(std::vector<uint8_t> bytes) : bytes_(std::move(bytes)) {}
  Bytes bytes() const override { return bytes_; }
  bool mapped() const override { return false; }

 private:
  std::vector<uint8_t> bytes_;
};

class MappedSource final : public ByteSource {
 public:
  MappedSource(void* at, size_t size, const std::string& path)
      : at_(at), size_(size), watched_(std::in_place, at, size, path) {}
  ~MappedSource() override {
    watched_.reset();
    munmap(at_, size_);
  }
  MappedSource(const MappedSource&) = delete;
  MappedSource& operator=(const MappedSource&) = delete;
  Bytes bytes() const override { return {static_cast<const uint8_t*>(at_), size_}; }
  bool mapped() const override { return true; }

 private:
  void* at_;
  size_t size_;
  std::optional<WatchedMap> watched_;
};

/// Closes a descriptor when the scope ends.
class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int get() const { return fd_; }
  int release() {
    const int fd = fd_;
    fd_ = -1;
    return fd;
  }

 private:
  int fd_;
};

constexpr uint64_t kWritebackBytes = uint64_t{4} << 20;

class PosixWritableFile final : public WritableFile {
 public:
  PosixWritableFile(int fd, std::string path) : fd_(fd), path_(std::move(path)) {}

  Status append(Bytes bytes) override {
    size_t written = 0;
    const Status status = write_all(bytes, written);
    size_ += written;
    begin_writeback();
    return status;
  }
  // Moves the file position and writes like append(), so that tools that trace the process see only
  // one kind of write call.
  Status overwrite_start(Bytes bytes) override {
    size_t written = 0;
    QUARRY_RETURN_IF_ERROR(seek(0));
    QUARRY_RETURN_IF_ERROR(write_all(bytes, written));
    return seek(size_);
  }
  Status sync() override { return fdatasync(fd_.get()) == 0 ? Status() : io_error("sync", path_); }
  Status reserve(uint64_t bytes) override {
    const int error = posix_fallocate(fd_.get(), 0, static_cast<off_t>(bytes));
    if (error == 0 || error == EOPNOTSUPP || error == EINVAL) return {};
    errno = error;
    return io_error("reserve space for", path_);
  }
  Status close() override {
    const int fd = fd_.release();
    return fd < 0 || ::close(fd) == 0 ? Status() : io_error("close", path_);
  }
  uint64_t size() const override { return size_; }

 private:
  /// Continues after a short write. `written` is also correct on failure.
  Status write_all(Bytes bytes, size_t& written) {
    while (written < bytes.size()) {
      const ssize_t done = ::write(fd_.get(), bytes.data() + written, bytes.size() - written);
      if (done < 0 && errno == EINTR) continue;
      if (done < 0) return io_error("write", path_);
      written += static_cast<size_t>(done);
    }
    return {};
  }
  /// Starts the write-back of a large file early, because a sync of the whole file at its end would
  /// block all others. Only a hint: errors are reported by sync().
  void begin_writeback() {
#ifdef SYNC_FILE_RANGE_WRITE
    if (size_ - begun_ < kWritebackBytes) return;
    static_cast<void>(sync_file_range(fd_.get(), static_cast<off_t>(begun_),
                                      static_cast<off_t>(size_ - begun_), SYNC_FILE_RANGE_WRITE));
    begun_ = size_;
#endif
  }
  Status seek(uint64_t at) {
    if (::lseek(fd_.get(), static_cast<off_t>(at), SEEK_SET) >= 0) return {};
    return io_error("seek in", path_);
  }

  Descriptor fd_;
  std::string path_;
  uint64_t size_ = 0;
  uint64_t begun_ = 0;
};

/// Preserves errno.
bool is_folder(const std::string& path) {
  const int error = errno;
  struct stat info{};
  const bool is_one = ::stat(path.c_str(), &info) == 0 && S_ISDIR(info.st_mode);
  errno = error;
  return is_one;
}

class PosixFileSystem final : public FileSystem {
 public:
  Result<std::unique_ptr<WritableFile>> create(const std::string& path) override {
    const int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, kFileMode);
    if (fd < 0) return io_error("create", path);
    return std::unique_ptr<WritableFile>(std::make_unique<PosixWritableFile>(fd, path));
  }

  Result<std::shared_ptr<ByteSource>> map(const std::string& path) override {
    const Descriptor fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    if (fd.get() < 0) return io_error("open", path);
    struct stat info{};
    if (fstat(fd.get(), &info) != 0) return io_error("stat", path);
    const auto size = static_cast<size_t>(info.st_size);
    if (size == 0) return make_heap_source({});
    void* at = mmap(nullptr, size, PROT_READ, MAP_SHARED, fd.get(), 0);
    if (at == MAP_FAILED) return io_error("map", path);
    return std::shared_ptr<ByteSource>(std::make_shared<MappedSource>(at, size, path));
  }

  Result<std::vector<uint8_t>> read(const std::string& path) override {
    const Descriptor fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    if (fd.get() < 0) return io_error("open", path);
    struct stat info{};
    if (fstat(fd.get(), &info) != 0) return io_error("stat", path);
    std::vector<uint8_t> bytes(static_cast<size_t>(info.st_size));
    size_t at = 0;
    while (at < bytes.size()) {
      const ssize_t got = ::read(fd.get(), bytes.data() + at, bytes.size() - at);
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) return io_error("read", path);
      if (got == 0) break;
      at += static_cast<size_t>(got);
    }
    bytes.resize(at);
    return bytes;
  }

  Status rename(const std::string& from, const std::string& to) override {
    return ::rename(from.c_str(), to.c_str()) == 0 ? Status() : io_error("rename", from);
  }
  Status remove(const std::string& path) override {
    return ::unlink(path.c_str()) == 0 || errno == ENOENT ? Status() : io_error("remove", path);
  }
  Status remove_tree(const std::string& path) override {
    std::error_code error;
    std::filesystem::remove_all(path, error);
    if (!error) return {};
    return {ErrorType::kStore, "failed to remove [" + path + "]: " + error.message()};
  }
  Status create_dirs(const std::string& path) override {
    for (size_t end = path.find('/', 1);; end = path.find('/', end + 1)) {
      const std::string part = path.substr(0, end);
      if (::mkdir(part.c_str(), kFolderMode) != 0 && !is_folder(part))
        return io_error("create folder", path);
      if (end == std::string::npos) return {};
    }
  }
  Status sync_dir(const std::string& path) override {
    const Descriptor fd(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (fd.get() < 0) return io_error("open folder", path);
    // A disk that is read-only, or that does not support syncing folders, has nothing to make
    // durable.
    if (fsync(fd.get()) == 0 || errno == EROFS || errno == EINVAL) return {};
    return io_error("sync folder", path);
  }
  Result<std::vector<std::string>> list(const std::string& path) override {
    DIR* dir = opendir(path.c_str());
    if (dir == nullptr) return io_error("list", path);
    std::vector<std::string> names;
    while (const dirent* entry = readdir(dir)) {
      const std::string_view name = entry->d_name;
      if (name != "." && name != "..") names.emplace_back(name);
    }
    closedir(dir);
    std::sort(names.begin(), names.end());
    return names;
  }
  bool exists(const std::string& path) override {
    // When existence cannot be determined, true is returned and the following read reports the
    // error, so that an existing file is never treated as absent.
    return ::access(path.c_str(), F_OK) == 0 || (errno != ENOENT && errno != ENOTDIR);
  }
  Result<uint64_t> file_size(const std::string& path) override {
    struct stat info{};
    if (::stat(path.c_str(), &info) != 0) return io_error("stat", path);
    return static_cast<uint64_t>(info.st_size);
  }
  Result<uint64_t> free_bytes(const std::string& path) override {
    struct statvfs info{};
    if (::statvfs(path.c_str(), &info) != 0) return io_error("stat file system of", path);
    return static_cast<uint64_t>(info.f_bavail) * info.f_frsize;
  }
  Result<uint64_t> disk_bytes(const std::string& path) override {
    struct statvfs info{};
    if (::statvfs(path.c_str(), &info) != 0) return io_error("stat file system of", path);
    return static_cast<uint64_t>(info.f_blocks) * info.f_frsize;
  }
  Status sync_file(const std::string& path) override {
    const Descriptor fd(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
    if (fd.get() < 0) return io_error("open", path);
    return fdatasync(fd.get()) == 0 ? Status() : io_error("sync", path);
  }
  Result<std::shared_ptr<void>> lock(const std::string& path) override {
    const int fd = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, kFileMode);
    if (fd < 0) return io_error("open", path);
    auto handle = std::make_shared<Descriptor>(fd);
    if (flock(fd, LOCK_EX | LOCK_NB) != 0) return io_error("lock", path);
    return std::shared_ptr<void>(std::move(handle));
  }
};

}  // namespace

std::shared_ptr<ByteSource> make_heap_source(std::vector<uint8_t> bytes) {
  return std::make_shared<HeapSource>(std::move(bytes));
}

Status FileSystem::write_atomically(const std::string& path, Bytes bytes) {
  const std::string temp = path + ".tmp";
  QUARRY_ASSIGN_OR_RETURN(std::unique_ptr<WritableFile> file, create(temp));
  QUARRY_RETURN_IF_ERROR(file->append(bytes));
  QUARRY_RETURN_IF_ERROR(file->sync());
  QUARRY_RETURN_IF_ERROR(file->close());
  QUARRY_RETURN_IF_ERROR(rename(temp, path));
  const size_t slash = path.rfind('/');
  return sync_dir(slash == std::string::npos ? "." : path.substr(0, slash));
}

std::unique_ptr<FileSystem> make_posix_file_system() { return std::make_unique<PosixFileSystem>(); }

}  // namespace quarry
