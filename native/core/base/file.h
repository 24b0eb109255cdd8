// The file layer of all durable data: an interface, so that tests can inject faults, and its POSIX
// implementation. Errors are ErrorType::kStore with path and errno text; ENOSPC is
// ErrorType::kClusterBlock.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/coding.h"
#include "base/status.h"

namespace quarry {

/// Bytes that stay valid and unchanged while the object lives: a read-only mapping or a heap
/// buffer.
class ByteSource {
 public:
  virtual ~ByteSource() = default;
  virtual Bytes bytes() const = 0;
  /// True for a file mapping (counts as page cache, not as heap).
  virtual bool mapped() const = 0;
};

/// A ByteSource over a heap buffer it owns.
std::shared_ptr<ByteSource> make_heap_source(std::vector<uint8_t> bytes);

/// An append-only file. One owner, not thread-safe, except that sync() may run while append() does.
class WritableFile {
 public:
  virtual ~WritableFile() = default;
  virtual Status append(Bytes bytes) = 0;
  /// Makes everything appended before the call durable (fdatasync). A failed sync must never be
  /// retried.
  virtual Status sync() = 0;
  /// Reserves disk space for the first `bytes` bytes, so that appends up to there cannot run out of
  /// space.
  virtual Status reserve(uint64_t bytes) = 0;
  virtual Status close() = 0;
  /// Bytes appended so far.
  virtual uint64_t size() const = 0;
  /// Replaces the first bytes of the file, all of which must have been appended before.
  virtual Status overwrite_start(Bytes bytes) = 0;
};

/// Thread-safe. Paths are absolute or relative to the working directory of the process.
class FileSystem {
 public:
  virtual ~FileSystem() = default;
  /// Creates or truncates the file.
  virtual Result<std::unique_ptr<WritableFile>> create(const std::string& path) = 0;
  /// Maps a whole file read-only. An empty file gives a valid empty source. The descriptor is
  /// closed after mapping.
  virtual Result<std::shared_ptr<ByteSource>> map(const std::string& path) = 0;
  virtual Result<std::vector<uint8_t>> read(const std::string& path) = 0;
  virtual Status rename(const std::string& from, const std::string& to) = 0;
  virtual Status remove(const std::string& path) = 0;
  virtual Status remove_tree(const std::string& path) = 0;
  /// Creates the folder and its parents; succeeds when it exists.
  virtual Status create_dirs(const std::string& path) = 0;
  /// Makes names created, renamed or removed in `path` durable.
  virtual Status sync_dir(const std::string& path) = 0;
  /// Names (not paths) inside a folder, sorted, without "." and "..".
  virtual Result<std::vector<std::string>> list(const std::string& path) = 0;
  virtual bool exists(const std::string& path) = 0;
  virtual Result<uint64_t> file_size(const std::string& path) = 0;
  /// Bytes free for an unprivileged writer on the file system that holds `path`.
  virtual Result<uint64_t> free_bytes(const std::string& path) = 0;
  /// Size of that file system.
  virtual Result<uint64_t> disk_bytes(const std::string& path) = 0;
  /// Makes the content of an existing file durable, including writes of other processes.
  virtual Status sync_file(const std::string& path) = 0;
  /// Takes an exclusive advisory lock on `path` (created if absent) until the handle is destroyed.
  virtual Result<std::shared_ptr<void>> lock(const std::string& path) = 0;

  /// Writes `path` so that a crash leaves either the old or the new content: temporary file, sync,
  /// rename, sync of the folder.
  Status write_atomically(const std::string& path, Bytes bytes);
};

/// Receives bytes in the order of a file that is being written. The receiver stores its own errors.
using ByteSink = std::function<void(Bytes)>;

/// The POSIX file system. Stateless; one instance can serve a whole process.
std::unique_ptr<FileSystem> make_posix_file_system();

}  // namespace quarry
