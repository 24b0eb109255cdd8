// Appends frames to the log and makes them durable: one write per frame, one sync for all waiting
// callers.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "base/file.h"
#include "base/status.h"
#include "wal/disk_space.h"
#include "wal/log_bounds.h"
#include "wal/log_reader.h"
#include "wal/log_record.h"

namespace quarry {

struct WalOptions {
  FileSystem* files = nullptr;
  std::string dir;
  uint64_t node = 0;  // hash64 of the node's uuid
  // A file is closed before it grows beyond this, unless a single frame is larger.
  uint64_t file_bytes = 0;
  const DiskSpace* space = nullptr;
  /// Bytes that flushes will write for operations in the log; they may be more than the log has.
  const std::atomic<uint64_t>* owed = nullptr;
};

struct WalDurable {
  uint64_t position = 0;  // everything below is durable
  uint64_t syncs = 0;     // since the start
};

/// Thread-safe. A failed write or sync is final: it is unknown what the kernel has kept of it, so
/// every later append is refused with ErrorType::kStore. Lack of space (kClusterBlock) is detected
/// before anything is written, and is temporary.
class WalWriter {
 public:
  explicit WalWriter(const WalOptions& options) : options_(options) {}
  /// Continues after `scan` in a new file, which is created by the first append.
  static Result<std::unique_ptr<WalWriter>> start(const WalOptions& options, const WalScan& scan);

  /// Appends the whole frame or nothing. Returns the position after the frame. An `urgent` frame
  /// (deletes) may use the disk reserve.
  Result<uint64_t> append(WalFrame& frame, bool urgent);
  /// Makes everything appended before the call durable. Blocks; concurrent callers share a sync.
  Result<WalDurable> sync();
  /// Declares that nothing below `position` is needed any more, and removes the files that lie
  /// completely below it; the open file only when it is large, or when `all` is true.
  Status release(uint64_t position, bool all);

  /// Ok, or the reason why no write is accepted now.
  Status state() const;
  uint64_t position() const { return position_.load(std::memory_order_acquire); }
  /// Bytes of frames that no checkpoint covers yet, as of the last release.
  uint64_t unreleased() const;
  /// Disk space that the next checkpoints will need.
  uint64_t owed() const { return std::max(unreleased(), options_.owed->load()); }
  uint64_t syncs() const { return syncs_.load(std::memory_order_relaxed); }
  struct Usage {
    uint64_t files = 0;
    uint64_t bytes = 0;
  };
  Usage usage() const;

 private:
  Status fail(const Status& cause);
  Status make_room(uint64_t bytes, bool urgent);
  Status open_file();
  Status create_file(WalFileHeader& header, const std::string& path);
  Status note_last();
  Status release_below(uint32_t kept);
  Status close_file();
  void abandon_file();
  Status reserve(uint64_t bytes);
  Status sync_file(const std::shared_ptr<WritableFile>& file, uint64_t position);
  std::string path(uint32_t number) const { return options_.dir + "/" + wal_file_name(number); }

  const WalOptions options_;

  mutable std::mutex append_mutex_;     // guards the open file and the list of files
  std::shared_ptr<WritableFile> file_;  // null until the next append
  WalFileHeader header_;
  uint64_t reserved_ = 0;
  uint32_t next_number_ = 1;
  std::vector<WalFileRange> files_;  // the open file is last

  // Serialises writes of the bounds; taken after append_mutex_, never before.
  std::mutex bounds_mutex_;
  WalBounds bounds_;

  std::mutex sync_mutex_;  // serialises syncs; taken after append_mutex_, never before
  std::atomic<uint64_t> position_{0};
  std::atomic<uint64_t> durable_{0};
  std::atomic<uint64_t> released_{0};
  std::atomic<uint64_t> syncs_{0};

  mutable std::mutex failure_mutex_;
  Status failure_;
};

}  // namespace quarry
