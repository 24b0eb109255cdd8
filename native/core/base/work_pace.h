// The pace of merges: a limit on the bytes that they write in a second, and turns that they leave to searches.
//
// The limit is a bucket that all merges of a node pay into. It holds while searches are answered; without one for a second,
// or when a shard has far more segments than it should have, the pace is kEase times as fast: merges must not fall behind
// for ever. Checkpoints pay, too, but never wait: writers wait for them.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <mutex>

#include "base/clock.h"
#include "base/file.h"
#include "base/long_work.h"

namespace quarry {

/// Lets this many nanoseconds pass. Null: the calling thread sleeps.
using Pause = std::function<void(int64_t nanos)>;

/// Of a node. Thread-safe.
class WorkPace {
 public:
  /// How much faster work goes that disturbs nobody, or that is behind.
  static constexpr uint64_t kEase = 4;

  /// `bytes_per_sec` 0: no limit. `busy_searches`: from so many searches at once on there may be others that wait for a
  /// thread, and work makes way.
  WorkPace(const Clock& clock, Pause pause, uint64_t bytes_per_sec, uint32_t busy_searches);

  void set_limit(uint64_t bytes_per_sec) { limit_.store(bytes_per_sec, std::memory_order_relaxed); }
  /// Bytes of work that does not wait.
  void charge(uint64_t bytes);

  /// A search that runs.
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
  /// Adds to the debt, which never grows beyond `most_seconds` of it; nanoseconds until it is paid at the rate of now.
  int64_t owe(uint64_t bytes, bool behind, double most_seconds);

  const Clock& clock_;
  const Pause pause_;
  const uint32_t busy_searches_;
  std::atomic<uint64_t> limit_;
  std::atomic<uint32_t> searches_{0};
  std::atomic<int64_t> last_search_ns_;

  std::mutex mutex_;
  double debt_ = 0;  // bytes; below 0: what may be written at once
  int64_t paid_ns_;  // up to when time has paid for it
};

/// One merge. `behind`: its shard has too many segments.
class PacedWork final : public LongWork {
 public:
  PacedWork(WorkPace& pace, const std::atomic<bool>& abort, bool behind);
  /// Makes way while all threads that search are busy, for half of the time at most.
  bool called_off() override;
  /// So many bytes went to the disk: waits until the limit allows more.
  void wrote(uint64_t bytes);
  /// Spent waiting.
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

/// A file that tells of every byte that was appended.
using BytesWritten = std::function<void(uint64_t)>;
std::unique_ptr<WritableFile> make_told_file(std::unique_ptr<WritableFile> file, BytesWritten wrote);

}  // namespace quarry
