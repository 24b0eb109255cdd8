// Appends frames to the log and makes them durable: one write per frame, one sync for all who wait.
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
  uint64_t node = 0;        // hash64 of the node's uuid
  uint64_t file_bytes = 0;  // a file is closed before it grows beyond this, unless one frame is larger
  const DiskSpace* space = nullptr;
  /// Bytes that checkpoints will write for what the log holds; they may be more than the log's own.
  const std::atomic<uint64_t>* owed = nullptr;
};

struct WalDurable {
  uint64_t position = 0;  // everything below is durable
  uint64_t syncs = 0;     // done so far
};

/// Thread-safe. A failed write or sync is final: what the kernel kept of it is unknown, so every later
/// append is refused with ErrorType::kStore. Lack of space (kClusterBlock) is found before anything is
/// written and passes.
class WalWriter {
 public:
  explicit WalWriter(const WalOptions& options) : options_(options) {}
  /// Continues behind `scan` in a new file, which is made when the first frame comes.
  static Result<std::unique_ptr<WalWriter>> start(const WalOptions& options, const WalScan& scan);

  /// Appends all or nothing; returns the position behind the frame. `urgent` may use the reserve (deletes).
  Result<uint64_t> append(WalFrame& frame, bool urgent);
  /// Makes everything appended before the call durable. Blocks; callers share a sync.
  Result<WalDurable> sync();
  /// Nothing below `position` is needed any more: removes the files that lie below it wholly; the open one only
  /// when it is large, or when `all` may go.
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
  Status let_go_below(uint32_t kept);
  Status close_file();
  void abandon_file();
  Status reserve(uint64_t bytes);
  Status sync_file(const std::shared_ptr<WritableFile>& file, uint64_t position);
  std::string path(uint32_t number) const { return options_.dir + "/" + wal_file_name(number); }

  const WalOptions options_;

  mutable std::mutex append_mutex_;  // everything about the open file and the list of files
  std::shared_ptr<WritableFile> file_;  // null until the next append
  WalFileHeader header_;
  uint64_t reserved_ = 0;
  uint32_t next_number_ = 1;
  std::vector<WalFileRange> files_;  // the open one last

  std::mutex bounds_mutex_;  // one write of the bounds at a time; taken after append_mutex_, never before
  WalBounds bounds_;

  std::mutex sync_mutex_;  // one sync at a time; taken after append_mutex_, never before
  std::atomic<uint64_t> position_{0};
  std::atomic<uint64_t> durable_{0};
  std::atomic<uint64_t> released_{0};
  std::atomic<uint64_t> syncs_{0};

  mutable std::mutex failure_mutex_;
  Status failure_;
};

}  // namespace quarry
