// A file system in memory that forgets what was not synced when the power goes, and fails on demand.
//
// Strict model: bytes of a file are durable after its sync, names (created, renamed, removed) after a sync of
// their folder. At a crash, unsynced bytes are lost wholly, kept wholly, or kept in part, block by block in any
// order; unsynced names are kept up to some point of their history.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "base/file.h"
#include "base/random.h"

namespace quarry::testing {

/// Thread-safe. Paths are absolute.
class FaultFileSystem final : public FileSystem {
 public:
  FaultFileSystem();

  /// The disk after a power cut now. `this` stays usable, as the past that did not happen.
  std::unique_ptr<FaultFileSystem> after_crash(uint64_t seed) const;

  /// The disk holds at most this many bytes; more is ErrorType::kClusterBlock.
  void set_capacity(uint64_t bytes);
  /// Every sync of a file fails from now on.
  void fail_syncs(bool fail);
  /// The operation that changes something `count` operations from now fails with EIO, and all after it.
  void fail_after(int64_t count);
  /// Changing operations so far.
  int64_t operations() const;
  uint64_t syncs() const;

  Result<std::unique_ptr<WritableFile>> create(const std::string& path) override;
  Result<std::shared_ptr<ByteSource>> map(const std::string& path) override;
  Result<std::vector<uint8_t>> read(const std::string& path) override;
  Status rename(const std::string& from, const std::string& to) override;
  Status remove(const std::string& path) override;
  Status remove_tree(const std::string& path) override;
  Status create_dirs(const std::string& path) override;
  Status sync_dir(const std::string& path) override;
  Result<std::vector<std::string>> list(const std::string& path) override;
  bool exists(const std::string& path) override;
  Result<uint64_t> file_size(const std::string& path) override;
  Result<uint64_t> free_bytes(const std::string& path) override;
  Result<uint64_t> disk_bytes(const std::string& path) override;
  Status sync_file(const std::string& path) override;
  Result<std::shared_ptr<void>> lock(const std::string& path) override;

  /// Overwrites bytes behind everybody's back, as a bad disk does.
  void damage(const std::string& path, size_t offset, uint8_t flip);

 private:
  friend class FaultFile;

  struct File {
    std::vector<uint8_t> bytes;    // reserved space included
    std::vector<uint8_t> durable;  // as of the last sync
    size_t written = 0;
  };
  using FilePtr = std::shared_ptr<File>;
  /// A file, or a folder when it has no file.
  using Names = std::map<std::string, FilePtr>;
  struct NameChange {
    std::string dir;   // whose sync makes it durable
    std::string from;  // removed (with all below), if not empty
    std::string to;    // added, if not empty; a rename has both
    FilePtr file;
  };

  static void apply(Names& names, const NameChange& change);
  void change(NameChange change);
  Status may_change(const std::string& path);
  uint64_t used() const;
  Status grow(File& file, uint64_t size, const std::string& path);
  Status append(File& file, Bytes bytes, const std::string& path);
  Status sync(File& file, const std::string& path);

  mutable std::mutex mutex_;
  Names names_;
  Names durable_names_;
  std::vector<NameChange> pending_;
  std::set<std::string> locks_;
  uint64_t capacity_ = uint64_t{1} << 40;
  bool fail_syncs_ = false;
  int64_t fail_at_ = -1;
  int64_t operations_ = 0;
  uint64_t syncs_ = 0;
};

}  // namespace quarry::testing
