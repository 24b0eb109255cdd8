// The pace of merges: a limit on the bytes that they write per second, and time slices that they
// yield to searches.
//
// The limit is a bucket shared by all merges of a node. It applies while searches are executed;
// after a second without a search, or when a shard has far too many segments, the rate is kEase
// times higher, so that merges do not fall behind indefinitely. Checkpoints fill the bucket, too,
// but never wait, because writers wait for them.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <mutex>

#include "base/clock.h"
#include "base/file.h"
#include "base/long_work.h"

namespace quarry {

/// Waits this many nanoseconds. Null: the calling thread sleeps.
using Pause = std::function<void(int64_t nanos)>;

/// One per node. Thread-safe.
class WorkPace {
 public:
  /// Factor of the rate when no search runs, or when a shard's merges are behind.
  static constexpr uint64_t kEase = 4;

  /// `bytes_per_sec` 0: no limit. `busy_searches`: with this many searches running, others may be
  /// waiting for a thread, so merges yield.
  WorkPace(const Clock& clock, Pause pause, uint64_t bytes_per_sec, uint32_t busy_searches);

  void set_limit(uint64_t bytes_per_sec) { limit_.store(bytes_per_sec, std::memory_order_relaxed); }
  /// Counts bytes of work that does not wait.
  void charge(uint64_t bytes);

  /// A running search, counted as long as the object exists.
  class Search {
   public:
    explicit Search(WorkPace& pace) : pace_(pace) {
      pace_.searches_.fetch_add(1, std::memory_order_relaxed);
    }
    ~Search() { pace_.end_search(); }
    Search(const Search&) = delete;
    Search& operator=(const Search&) = delete;

   private:
    WorkPace& pace_;
  };

 private:
  friend class PacedWork;

  bool busy() const { return searches_.load(std::memory_order_relaxed) >= busy_searches_; }
  void end_search();
  /// Adds bytes to the debt, which is limited to `most_seconds` of the current rate. Returns the
  /// nanoseconds until the debt is paid at that rate.
  int64_t owe(uint64_t bytes, bool behind, double most_seconds);

  const Clock& clock_;
  const Pause pause_;
  const uint32_t busy_searches_;
  std::atomic<uint64_t> limit_;
  std::atomic<uint32_t> searches_{0};
  std::atomic<int64_t> last_search_ns_;

  std::mutex mutex_;
  double debt_ = 0;  // bytes; below 0: may be written at once
  int64_t paid_ns_;  // time up to which debt_ is reduced
};

/// One merge. `behind`: its shard has too many segments.
class PacedWork final : public LongWork {
 public:
  PacedWork(WorkPace& pace, const std::atomic<bool>& abort, bool behind);
  /// Yields while all search threads are busy, for at most half of the time.
  bool called_off() override;
  /// Counts bytes written to disk, and waits until the limit allows more.
  void wrote(uint64_t bytes);
  /// The time spent waiting.
  int64_t paused_ns() const { return paused_ns_; }

 private:
  bool aborted() const { return abort_.load(std::memory_order_relaxed); }
  void pause(int64_t nanos);

  WorkPace& pace_;
  const std::atomic<bool>& abort_;
  const bool behind_;
  int64_t resumed_ns_;
  int64_t paused_ns_ = 0;
};

/// A file that calls `wrote` with the number of bytes of every append.
using BytesWritten = std::function<void(uint64_t)>;
std::unique_ptr<WritableFile> make_reporting_file(std::unique_ptr<WritableFile> file,
                                                  BytesWritten wrote);

}  // namespace quarry
