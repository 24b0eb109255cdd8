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
#include <string>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/status.h"
#include "engine/catalog/index.h"
#include "engine/catalog/index_folder.h"

namespace quarry {

/// Thread-safe; whoever holds an index keeps it alive, and open.
class IndexTable {
 public:
  using Loader = std::function<Result<std::shared_ptr<Index>>(uint32_t number)>;
  static constexpr uint64_t kNothingHeld = UINT64_MAX;

  IndexTable(const Clock& clock, Loader load) : clock_(clock), load_(std::move(load)) {}

  /// Opens a closed one. Null when there is no such index (any more); errors are those of opening. Damage that opening
  /// finds puts the index out of service; any other error may pass, and is found anew by the next use.
  Result<std::shared_ptr<Index>> find(uint32_t number);
  /// Null when it is closed or not there; does not count as a use.
  std::shared_ptr<Index> find_open(uint32_t number) const;
  /// Those that are open, by number. A closed one has nothing to refresh, flush, merge or replay.
  std::vector<std::shared_ptr<Index>> open() const;
  /// The same, if nobody used them for `idle_ns`.
  std::vector<std::shared_ptr<Index>> unused(int64_t idle_ns) const;
  std::vector<uint32_t> numbers() const;
  /// Open, closed or out of service.
  bool contains(uint32_t number) const { return entry(number) != nullptr; }
  void put(std::shared_ptr<Index> index);
  void put_closed(const IndexSummary& summary);
  void erase(uint32_t number);

  /// From now until the next start every use of the index answers `why`; it can only be dropped. The log keeps what it
  /// has of it from `log_position` on. Said again, the first reason stays and the lowest position.
  void put_out_of_service(uint32_t number, const Status& why, uint64_t log_position);
  /// Where the log records begin that indexes out of service still need, or kNothingHeld.
  uint64_t first_held() const;
  /// Why it is out of service, or Ok; and all that are, with their reasons.
  Status out_of_service(uint32_t number) const;
  std::vector<std::pair<uint32_t, Status>> out_of_service() const;
  void add_news(std::string text);
  /// Texts for the service's log; each is given once.
  std::vector<std::string> take_news();

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
    Status out_of_service;                 // under mutex_
    uint64_t log_position = kNothingHeld;  // likewise
    IndexSummary summary;  // when it was closed; its totals are those of all earlier times. Under mutex_
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
