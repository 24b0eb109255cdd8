// The order of tuples, and the page of the first of them.
#include "query/aggs/composite/composite_queue.h"

#include "base/hash.h"
#include "query/aggs/metrics/hyper_log_log.h"

namespace quarry {
namespace {

constexpr uint64_t kTupleBytes = 160;  // set and map nodes of a tuple, excluding its values

}  // namespace

void CompositeSource::prepare(const std::vector<Leaf>& leaves) {
  if (type != CompositeType::kDateHistogram) return;
  const Column::Zone all = source.bounds_of(leaves);
  if (all.min <= all.max) dates.prepare(source.moment(all.min), source.moment(all.max));
}

CompositeValue CompositeSource::value_of(int64_t value) const {
  CompositeValue out;
  if (source.has_ordinals()) {
    out.text = source.term(value);
  } else if (type == CompositeType::kHistogram) {
    const double start = numbers.start(numbers.round(source.number(value)));
    out.number = sortable_from_double(start + 0.0);
  } else {
    out.number = type == CompositeType::kTerms ? value : dates.round(source.moment(value));
  }
  return out;
}

int CompositeSource::compare(const CompositeValue& a, const CompositeValue& b) const {
  if (a.null || b.null) {
    if (a.null == b.null) return 0;
    return a.null == null_first ? -1 : 1;
  }
  int order = 0;
  if (source.has_ordinals()) {
    order = a.text.compare(b.text);
  } else {
    order = a.number < b.number ? -1 : a.number > b.number ? 1 : 0;
  }
  return descending ? -order : order;
}

CompositeQueue::CompositeQueue(const std::vector<CompositeSource>& sources, size_t size,
                               const CompositeTuple* after, AggBudget& budget)
    : sources_(&sources), size_(size), after_(after), budget_(&budget), tuples_(Before{&sources}) {}

int compare_tuples(const std::vector<CompositeSource>& sources, const CompositeTuple& a,
                   const CompositeTuple& b) {
  for (size_t i = 0; i < sources.size(); i++) {
    const int order = sources[i].compare(a[i], b[i]);
    if (order != 0) return order;
  }
  return 0;
}

size_t TupleHash::operator()(const CompositeTuple* tuple) const {
  uint64_t hash = 0;
  for (const CompositeValue& value : *tuple) {
    const uint64_t own = value.null            ? 1
                         : !value.text.empty() ? hash64(value.text)
                                               : hash_integer(value.number);
    hash = hash * 0x9e3779b97f4a7c15ULL + own;
  }
  return static_cast<size_t>(hash ^ (hash >> 32));
}

uint32_t CompositeQueue::add(const CompositeTuple& tuple, uint32_t& next) {
  if (after_ != nullptr && compare_tuples(*sources_, tuple, *after_) <= 0) return kNone;
  if (const auto found = buckets_.find(&tuple); found != buckets_.end()) return found->second;
  if (size_ == 0) return kNone;
  if (tuples_.size() >= size_) {
    const auto last = std::prev(tuples_.end());
    if (compare_tuples(*sources_, tuple, *last) >= 0) return kNone;
    buckets_.erase(&*last);
    tuples_.erase(last);
  } else {
    budget_->charge(kTupleBytes + tuple.size() * sizeof(CompositeValue));
  }
  const auto [at, added] = tuples_.insert(tuple);
  const uint32_t bucket = next++;
  buckets_.emplace(&*at, bucket);
  return bucket;
}

std::vector<CompositeQueue::Entry> CompositeQueue::entries() const {
  std::vector<Entry> out;
  for (const CompositeTuple& tuple : tuples_)
    out.push_back({buckets_.find(&tuple)->second, &tuple});
  return out;
}

}  // namespace quarry
