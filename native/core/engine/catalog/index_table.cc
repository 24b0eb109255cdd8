#include "engine/catalog/index_table.h"

#include <algorithm>
#include <utility>

namespace quarry {
namespace {

/// The current gauges without the totals, which are kept separately.
IndexSummary summary_of(Index& index) {
  IndexSummary summary;
  summary.number = index.number();
  summary.shards = static_cast<uint32_t>(index.shard_count());
  summary.next_seq_no = index.seq_no_count();
  summary.stats = index.stats();
  return summary;
}

void add_totals(ShardTotals& sum, const ShardTotals& more) {
  for (size_t i = 0; i < sum.size(); i++) sum[i] += more[i];
}

}  // namespace

std::shared_ptr<IndexTable::Entry> IndexTable::entry(uint32_t number) const {
  const std::shared_lock lock(mutex_);
  const auto found = by_number_.find(number);
  return found == by_number_.end() ? nullptr : found->second;
}

Result<std::shared_ptr<Index>> IndexTable::find(uint32_t number, CallBudget* budget) {
  std::shared_ptr<Entry> closed;
  {
    const std::shared_lock lock(mutex_);
    const auto found = by_number_.find(number);
    if (found == by_number_.end()) return std::shared_ptr<Index>();
    Entry& known = *found->second;
    known.used_ns.store(clock_.steady_ns(), std::memory_order_relaxed);
    if (!known.out_of_service.ok()) return known.out_of_service;
    if (known.index != nullptr) return known.index;
    closed = found->second;
  }
  if (budget != nullptr) {
    budget->end();
    return budget_ended();
  }
  return load(number, *closed);
}

/// The caller holds mutex_.
void IndexTable::note_out_of_service(uint32_t number, Entry& known, const Status& why) {
  if (!known.out_of_service.ok()) return;
  known.out_of_service = why;
  news_.push_back("index number [" + std::to_string(number) +
                  "] is out of service, its requests are refused: " + why.reason());
}

void IndexTable::put_out_of_service(uint32_t number, const Status& why, uint64_t log_position) {
  const std::shared_ptr<Entry> known = entry(number);
  if (known == nullptr) return;
  const std::unique_lock lock(mutex_);
  note_out_of_service(number, *known, why);
  known->log_position = std::min(known->log_position, log_position);
}

uint64_t IndexTable::first_held() const {
  const std::shared_lock lock(mutex_);
  uint64_t first = kNothingHeld;
  for (const auto& [number, known] : by_number_) first = std::min(first, known->log_position);
  return first;
}

Status IndexTable::out_of_service(uint32_t number) const {
  const std::shared_ptr<Entry> known = entry(number);
  if (known == nullptr) return {};
  const std::shared_lock lock(mutex_);
  return known->out_of_service;
}

std::vector<std::pair<uint32_t, Status>> IndexTable::out_of_service() const {
  std::vector<std::pair<uint32_t, Status>> list;
  const std::shared_lock lock(mutex_);
  for (const auto& [number, known] : by_number_) {
    if (!known->out_of_service.ok()) list.emplace_back(number, known->out_of_service);
  }
  return list;
}

void IndexTable::add_news(std::string text) {
  const std::unique_lock lock(mutex_);
  news_.push_back(std::move(text));
}

std::vector<std::string> IndexTable::take_news() {
  const std::unique_lock lock(mutex_);
  return std::exchange(news_, {});
}

std::shared_ptr<Index> IndexTable::find_open(uint32_t number) const {
  const std::shared_lock lock(mutex_);
  const auto found = by_number_.find(number);
  return found == by_number_.end() ? nullptr : found->second->index;
}

Result<std::shared_ptr<Index>> IndexTable::load(uint32_t number, Entry& closed) {
  const std::lock_guard loading(closed.loading);
  uint64_t next_seq_no = 0;
  {
    const std::shared_lock lock(mutex_);
    if (closed.index != nullptr) return closed.index;
    next_seq_no = closed.summary.next_seq_no;
  }
  Result<std::shared_ptr<Index>> opened = load_(number);
  const std::unique_lock lock(mutex_);
  const auto found = by_number_.find(number);
  // The index, with its files, was dropped while it was being opened.
  if (found == by_number_.end() || found->second.get() != &closed) {
    return std::shared_ptr<Index>();
  }
  if (!opened.ok()) {
    const Status why = opened.status();
    if (why.type() == ErrorType::kCorrupt) note_out_of_service(number, closed, why);
    return why;
  }
  if (next_seq_no > 0) (*opened)->saw_seq_no(next_seq_no - 1);
  closed.index = *opened;
  return *opened;
}

std::vector<std::shared_ptr<Index>> IndexTable::open() const { return unused(-1); }

std::vector<std::shared_ptr<Index>> IndexTable::unused(int64_t idle_ns) const {
  const int64_t before = clock_.steady_ns() - idle_ns;
  const std::shared_lock lock(mutex_);
  std::vector<std::shared_ptr<Index>> indices;
  for (const auto& [number, known] : by_number_) {
    if (known->index == nullptr) continue;
    if (idle_ns < 0 || known->used_ns.load() <= before) indices.push_back(known->index);
  }
  return indices;
}

std::vector<uint32_t> IndexTable::numbers() const {
  const std::shared_lock lock(mutex_);
  std::vector<uint32_t> numbers;
  numbers.reserve(by_number_.size());
  for (const auto& [number, known] : by_number_) numbers.push_back(number);
  return numbers;
}

void IndexTable::put(std::shared_ptr<Index> index) {
  auto known = std::make_shared<Entry>();
  known->used_ns.store(clock_.steady_ns());
  const uint32_t number = index->number();
  known->index = std::move(index);
  const std::unique_lock lock(mutex_);
  by_number_[number] = std::move(known);
}

void IndexTable::put_closed(const IndexSummary& summary) {
  auto known = std::make_shared<Entry>();
  known->summary = summary;
  const std::unique_lock lock(mutex_);
  by_number_[summary.number] = std::move(known);
}

void IndexTable::erase(uint32_t number) {
  const std::unique_lock lock(mutex_);
  by_number_.erase(number);
}

/// The caller holds mutex_. Returns the index when it has no other holder and can be closed; the
/// caller releases it, which closes its files.
std::shared_ptr<Index> IndexTable::close_one(Entry& known, int64_t before_ns) {
  if (known.index == nullptr || known.used_ns.load() > before_ns) return nullptr;
  // New holders need mutex_, so a use count of 1 cannot grow meanwhile.
  if (known.index.use_count() != 1 || !known.index->owes_nothing()) return nullptr;
  const ShardTotals earlier = known.summary.stats.totals;
  known.summary = summary_of(*known.index);
  add_totals(known.summary.stats.totals, earlier);
  return std::exchange(known.index, nullptr);
}

uint32_t IndexTable::close_unused(int64_t idle_ns, uint32_t most) {
  const int64_t before = clock_.steady_ns() - idle_ns;
  std::vector<std::shared_ptr<Entry>> candidates;
  {
    const std::shared_lock lock(mutex_);
    for (const auto& [number, known] : by_number_) {
      if (known->index == nullptr || known->used_ns.load() > before) continue;
      candidates.push_back(known);
      if (candidates.size() == most) break;
    }
  }
  uint32_t closed = 0;
  for (const std::shared_ptr<Entry>& candidate : candidates) {
    std::shared_ptr<Index> gone;
    {
      const std::unique_lock lock(mutex_);
      gone = close_one(*candidate, before);
    }
    if (gone != nullptr) closed++;
  }
  return closed;
}

IndexTable::Sums IndexTable::sums() const {
  Sums sums;
  std::vector<std::shared_ptr<Index>> opened;
  {
    const std::shared_lock lock(mutex_);
    sums.indices = by_number_.size();
    for (const auto& [number, known] : by_number_) {
      if (known->index == nullptr) {
        sums.shards += known->summary.shards;
        sums.stats.add(known->summary.stats);
        continue;
      }
      add_totals(sums.stats.totals, known->summary.stats.totals);
      opened.push_back(known->index);
    }
  }
  sums.open = opened.size();
  for (const std::shared_ptr<Index>& index : opened) {
    sums.shards += index->shard_count();
    sums.stats.add(index->stats());
  }
  return sums;
}

ShardTotals IndexTable::earlier_totals(uint32_t number) const {
  const std::shared_ptr<Entry> known = entry(number);
  if (known == nullptr) return {};
  const std::shared_lock lock(mutex_);
  return known->summary.stats.totals;
}

}  // namespace quarry
