// The indexes of a node by number. Of ten thousand namespaces most are idle at any time: an index
// that was not used for a while and has nothing left to write is closed. The table keeps a few
// numbers of it and opens it again at its next use.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/status.h"
#include "base/stop_check.h"
#include "engine/catalog/index.h"
#include "engine/catalog/index_folder.h"

namespace quarry {

/// Thread-safe. Holding an index keeps it alive and open.
class IndexTable {
 public:
  using Loader = std::function<Result<std::shared_ptr<Index>>(uint32_t number)>;
  static constexpr uint64_t kNothingHeld = UINT64_MAX;

  IndexTable(const Clock& clock, Loader load) : clock_(clock), load_(std::move(load)) {}

  /// Opens a closed index. Null when the index does not exist (any more); errors are those of
  /// opening it. Damage found while opening puts the index out of service; any other error may be
  /// temporary, and the next use tries again. A call with a budget does not open a closed index:
  /// its budget ends.
  Result<std::shared_ptr<Index>> find(uint32_t number, CallBudget* budget = nullptr);
  /// Null when the index is closed or does not exist. Does not count as a use.
  std::shared_ptr<Index> find_open(uint32_t number) const;
  /// The open indexes by number. A closed index has nothing to refresh, flush, merge or replay.
  std::vector<std::shared_ptr<Index>> open() const;
  /// The open indexes that were not used for `idle_ns`.
  std::vector<std::shared_ptr<Index>> unused(int64_t idle_ns) const;
  std::vector<uint32_t> numbers() const;
  /// True for open, closed and out of service indexes.
  bool contains(uint32_t number) const { return entry(number) != nullptr; }
  void put(std::shared_ptr<Index> index);
  void put_closed(const IndexSummary& summary);
  void erase(uint32_t number);

  /// From now until the next start every use of the index fails with `why`; it can only be dropped.
  /// The log keeps its records from `log_position` on. Repeated calls keep the first reason and the
  /// lowest position.
  void put_out_of_service(uint32_t number, const Status& why, uint64_t log_position);
  /// The position of the first log record that an index out of service still needs, or
  /// kNothingHeld.
  uint64_t first_held() const;
  /// The reason why an index is out of service, or Ok; without a number, all such indexes with
  /// their reasons.
  Status out_of_service(uint32_t number) const;
  std::vector<std::pair<uint32_t, Status>> out_of_service() const;
  void add_news(std::string text);
  /// Messages for the service's log; each is returned once.
  std::vector<std::string> take_news();

  /// Closes at most `most` of the indexes that were not used for `idle_ns` and have nothing left to
  /// write. Returns how many were closed.
  uint32_t close_unused(int64_t idle_ns, uint32_t most);

  struct Sums {
    uint64_t indices = 0;
    uint64_t open = 0;
    uint64_t shards = 0;
    ShardStats stats;
  };
  Sums sums() const;
  /// The counts of the index up to the last time it was closed.
  ShardTotals earlier_totals(uint32_t number) const;

 private:
  struct Entry {
    std::shared_ptr<Index> index;  // null: closed; guarded by mutex_
    std::mutex loading;            // serialises opening; taken before mutex_
    std::atomic<int64_t> used_ns{0};
    Status out_of_service;                 // guarded by mutex_
    uint64_t log_position = kNothingHeld;  // guarded by mutex_
    // As of the last time it was closed; the totals cover all earlier periods. Guarded by mutex_.
    IndexSummary summary;
  };

  std::shared_ptr<Entry> entry(uint32_t number) const;
  Result<std::shared_ptr<Index>> load(uint32_t number, Entry& entry);
  void note_out_of_service(uint32_t number, Entry& entry, const Status& why);
  std::shared_ptr<Index> close_one(Entry& entry, int64_t before_ns);

  const Clock& clock_;
  const Loader load_;
  mutable std::shared_mutex mutex_;
  std::map<uint32_t, std::shared_ptr<Entry>> by_number_;
  std::vector<std::string> news_;
};

}  // namespace quarry
