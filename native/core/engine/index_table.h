// The indexes of a node by number. Most of ten thousand namespaces are idle at any time: an index that nobody used for
// a while, and that owes the disk nothing, is closed and keeps a few numbers here; the next use opens it again.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <vector>

#include "base/clock.h"
#include "base/status.h"
#include "engine/index.h"
#include "engine/index_folder.h"

namespace quarry {

/// Thread-safe; whoever holds an index keeps it alive, and open.
class IndexTable {
 public:
  using Loader = std::function<Result<std::shared_ptr<Index>>(uint32_t number)>;

  IndexTable(const Clock& clock, Loader load) : clock_(clock), load_(std::move(load)) {}

  /// Opens a closed one. Null when there is no such index (any more); errors are those of opening.
  Result<std::shared_ptr<Index>> find(uint32_t number);
  /// Null when it is closed or not there; does not count as a use.
  std::shared_ptr<Index> find_open(uint32_t number) const;
  /// Those that are open, by number. A closed one has nothing to refresh, flush, merge or replay.
  std::vector<std::shared_ptr<Index>> open() const;
  /// The same, if nobody used them for `idle_ns`.
  std::vector<std::shared_ptr<Index>> unused(int64_t idle_ns) const;
  std::vector<uint32_t> numbers() const;
  void put(std::shared_ptr<Index> index);
  void put_closed(const IndexSummary& summary);
  void erase(uint32_t number);

  /// Closes at most `most` of those that nobody used for `idle_ns` and that owe nothing; how many it closed.
  uint32_t close_unused(int64_t idle_ns, uint32_t most);

  struct Sums {
    uint64_t indices = 0;
    uint64_t open = 0;
    uint64_t shards = 0;
    ShardStats stats;
  };
  Sums sums() const;
  /// What the index counted before it was last closed.
  ShardTotals earlier_totals(uint32_t number) const;

 private:
  struct Entry {
    std::shared_ptr<Index> index;  // null: closed; under mutex_
    std::mutex loading;            // one opening at a time; taken before mutex_
    std::atomic<int64_t> used_ns{0};
    IndexSummary summary;  // when it was closed; its totals are those of all earlier times. Under mutex_
  };

  std::shared_ptr<Entry> entry(uint32_t number) const;
  Result<std::shared_ptr<Index>> load(uint32_t number, Entry& entry);
  std::shared_ptr<Index> close_one(Entry& entry, int64_t before_ns);

  const Clock& clock_;
  const Loader load_;
  mutable std::shared_mutex mutex_;
  std::map<uint32_t, std::shared_ptr<Entry>> by_number_;
};

}  // namespace quarry
