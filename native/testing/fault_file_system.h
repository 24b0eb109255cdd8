// A file system in memory that loses unsynced data in a power cut (fault_disk.h) and fails on
// demand.
//
// A script is called before every operation, and at the kill points that the core defines
// (base/kill_point.h). It may let the operation happen, make it fail as a disk does, or end the
// process there: from then on nothing changes and nothing can be read, regardless of what the
// engine still attempts.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/file.h"
#include "base/random.h"
#include "testing/fault_disk.h"

namespace quarry::testing {

enum class DiskOp : uint8_t {
  kCreate,
  kAppend,
  kOverwrite,
  kReserve,
  kSync,
  kRename,
  kRemove,
  kRemoveTree,
  kCreateDir,
  kSyncDir,
  kSyncFile,
  kMap,
  kRead,
  kList,
  kPoint,
};

struct DiskEvent {
  DiskOp op;
  std::string_view path;  // for a kill point: its name
};

enum class DiskVerdict : uint8_t {
  kGo,
  kFail,       // EIO; a write may be partially done, a failed sync leaves its data unsafe
  kFull,       // ENOSPC; likewise
  kDieBefore,  // the process ends before the operation
  kDieDuring,  // the process ends during it: a write is partial, others are done or not
  kDieAfter,   // the process ends after it
};

/// The operation and the kind of file: "sync log", "rename MANIFEST", "append seg.data", "before
/// manifest switch".
std::string event_name(const DiskEvent& event);

/// Thread-safe. Paths are absolute.
class FaultFileSystem final : public FileSystem {
 public:
  using Script = std::function<DiskVerdict(const DiskEvent&)>;

  FaultFileSystem();

  /// The disk after a power cut at this moment. `this` stays usable, as if there had been no power
  /// cut.
  std::unique_ptr<FaultFileSystem> after_crash(uint64_t seed) const;
  /// Restarts a process that ended, without a power cut.
  void revive();
  bool dead() const;

  /// Null: every operation happens. The script is called with the lock of the file system held.
  /// `seed` determines partial writes.
  void set_script(Script script, uint64_t seed = 0);
  /// Called at every kill point at which the process lives on, without the lock of the file system.
  /// Null: no visitor.
  void set_visitor(std::function<void(std::string_view)> visitor);
  /// Limits the bytes on the disk; the error for more is ErrorType::kClusterBlock.
  void set_capacity(uint64_t bytes);
  /// From now on every sync of a file or a folder fails.
  void fail_syncs(bool fail);
  /// The `count`-th changing operation from now fails with EIO, and so do all after it.
  void fail_after(int64_t count);
  /// The number of changing operations so far.
  int64_t operations() const;
  uint64_t syncs() const;
  uint64_t used() const;

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
  /// The core calls it at a kill point.
  void reached(std::string_view point);

  /// Overwrites bytes without a file operation, like a faulty disk.
  void damage(const std::string& path, size_t offset, uint8_t flip);

 private:
  friend class FaultFile;

  /// Runs one operation according to the script: `act(share)`, where a share below 1 means a
  /// partial write.
  template <typename Act>
  Status run(const DiskEvent& event, Act act);
  DiskNodePtr find(const std::string& path) const;
  DiskNodePtr parent_of(const std::string& path, std::string& name) const;
  Status grow(DiskNode& file, size_t size, const std::string& path);
  Status append(DiskNode& file, Bytes bytes, const std::string& path);
  Status overwrite(DiskNode& file, Bytes bytes, const std::string& path);
  Status reserve(DiskNode& file, uint64_t bytes, const std::string& path);
  Status sync(DiskNode& node, const std::string& path, DiskOp op);

  mutable std::mutex mutex_;
  DiskNodePtr root_;
  std::set<std::string> locks_;
  Script script_;
  std::function<void(std::string_view)> visitor_;
  Random random_{0};
  bool dead_ = false;
  uint64_t capacity_ = uint64_t{1} << 40;
  bool fail_syncs_ = false;
  int64_t fail_at_ = -1;
  int64_t operations_ = 0;
  uint64_t syncs_ = 0;
};

}  // namespace quarry::testing
