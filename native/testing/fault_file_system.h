// A file system in memory that forgets what was not synced when the power goes (fault_disk.h), and fails on demand.
//
// A script is asked before every operation, and at the kill points that the core names (base/kill_point.h). It may let
// it happen, make it fail as a disk does, or end the process there: from then on nothing changes and nothing can be
// read, whatever the dying engine still tries.
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
  kCreate, kAppend, kOverwrite, kReserve, kSync, kRename, kRemove, kRemoveTree, kCreateDir, kSyncDir, kSyncFile,
  kMap, kRead, kList, kPoint,
};

struct DiskEvent {
  DiskOp op;
  std::string_view path;  // of a kill point: its name
};

enum class DiskVerdict : uint8_t {
  kGo,
  kFail,       // EIO; a write may have been done in part, a sync leaves what it was for unsafe
  kFull,       // ENOSPC; likewise
  kDieBefore,  // the process ends before the operation,
  kDieDuring,  // in the middle of it (a write is done in part, all else as before or after),
  kDieAfter,   // or after it
};

/// "sync log", "rename MANIFEST", "append seg.data", "before manifest switch": what is done to which kind of file.
std::string event_name(const DiskEvent& event);

/// Thread-safe. Paths are absolute.
class FaultFileSystem final : public FileSystem {
 public:
  using Script = std::function<DiskVerdict(const DiskEvent&)>;

  FaultFileSystem();

  /// The disk after a power cut now. `this` stays usable, as the past that did not happen.
  std::unique_ptr<FaultFileSystem> after_crash(uint64_t seed) const;
  /// A process that ended starts again, and the power had stayed on.
  void revive();
  bool dead() const;

  /// Null: everything goes. The script is called under the lock of the file system. `seed`: of partial writes.
  void set_script(Script script, uint64_t seed = 0);
  /// Called at every kill point that lets the process live, under no lock of the file system. Null: nobody is.
  void set_visitor(std::function<void(std::string_view)> visitor);
  /// The disk holds at most this many bytes; more is ErrorType::kClusterBlock.
  void set_capacity(uint64_t bytes);
  /// Every sync of a file or a folder fails from now on.
  void fail_syncs(bool fail);
  /// The operation that changes something `count` operations from now fails with EIO, and all after it.
  void fail_after(int64_t count);
  /// Changing operations so far.
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
  /// The core is at this kill point.
  void reached(std::string_view point);

  /// Overwrites bytes behind everybody's back, as a bad disk does.
  void damage(const std::string& path, size_t offset, uint8_t flip);

 private:
  friend class FaultFile;

  /// Does one operation as the script wants it: `act(share)`, where a share below 1 is for a write done in part.
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
