// LRU cache over segments and clauses. An entry without a value only records that its clause was
// requested once.
#include "query/cache/filter_cache.h"

#include <algorithm>
#include <utility>

#include "base/hash.h"
#include "query/aggs/terms/term_numbering.h"

namespace quarry {

/// An entry for several segments, together with the list of segments. Segments are compared by
/// owner; a weak pointer keeps the address of its owner from being reused.
struct FilterCache::OfSeveral {
  OfSeveral(const SegmentList& list, JointEntryPtr made) : entry(std::move(made)) {
    segments.reserve(list.size());
    for (const std::shared_ptr<const Segment>* segment : list) segments.emplace_back(*segment);
  }
  bool is_of(const SegmentList& list) const {
    return std::equal(segments.begin(), segments.end(), list.begin(), list.end(),
                      [](const std::weak_ptr<const Segment>& a, const auto* b) {
                        return !a.owner_before(*b) && !b->owner_before(a);
                      });
  }
  size_t bytes() const {
    return sizeof(OfSeveral) + segments.capacity() * sizeof(segments[0]) + entry->bytes();
  }

  std::vector<std::weak_ptr<const Segment>> segments;
  JointEntryPtr entry;
};

struct FilterCache::Entry {
  uint64_t key = 0;
  std::weak_ptr<const Segment> segment;
  uint64_t mapping_version = 0;
  std::string clause;
  DocIdSetPtr set;
  TermNumberingPtr numbering;
  SegmentTotalsPtr totals;
  std::unique_ptr<const OfSeveral> joint;
  uint32_t live = kAnyLive;  // number of live documents that the totals are valid for

  bool is_empty() const {
    return set == nullptr && numbering == nullptr && totals == nullptr && joint == nullptr;
  }
  size_t bytes() const {
    return sizeof(Entry) + clause.capacity() + (set == nullptr ? 0 : set->bytes()) +
           (numbering == nullptr ? 0 : numbering->bytes()) +
           (totals == nullptr ? 0 : totals->capacity() * sizeof(uint64_t)) +
           (joint == nullptr ? 0 : joint->bytes());
  }
};

namespace {

uint64_t make_key(const Segment* segment, uint64_t mapping_version, std::string_view clause) {
  uint64_t parts[3] = {reinterpret_cast<uintptr_t>(segment), mapping_version, hash64(clause)};
  return hash64({reinterpret_cast<const char*>(parts), sizeof(parts)});
}

// No clause of a plan starts with these bytes, as no such opcodes exist.
std::string numbering_clause(std::string_view field) { return "\xff\xff" + std::string(field); }
std::string totals_clause(std::string_view name) { return "\xfe\xff" + std::string(name); }
constexpr std::string_view kJoint = "\xfd\xff";

thread_local FilterCache::FirstRequests* first_requests = nullptr;

/// Totals that are valid for certain live documents are separate entries, distinguished by the
/// mapping version in the key.
constexpr uint64_t version_of(uint32_t live) { return live == FilterCache::kAnyLive ? 0 : 1; }

}  // namespace

FilterCache::FirstRequests::FirstRequests(FilterCache& cache) : cache_(cache) {
  first_requests = this;
}

FilterCache::FirstRequests::~FirstRequests() { first_requests = nullptr; }

void FilterCache::FirstRequests::forget() {
  const std::lock_guard lock(cache_.mutex_);
  for (const uint64_t key : keys_) {
    const auto found = cache_.by_key_.find(key);
    if (found != cache_.by_key_.end() && found->second->is_empty()) cache_.drop(found->second);
  }
}

FilterCache::FilterCache(size_t budget_bytes) : budget_(budget_bytes) {}
FilterCache::~FilterCache() = default;

FilterCache::Entries::iterator FilterCache::locate(uint64_t key,
                                                   const std::shared_ptr<const Segment>& segment,
                                                   uint64_t mapping_version,
                                                   std::string_view clause) {
  const auto found = by_key_.find(key);
  if (found == by_key_.end()) return entries_.end();
  const Entry& entry = *found->second;
  if (entry.segment.lock() == segment && entry.mapping_version == mapping_version &&
      entry.clause == clause) {
    return found->second;
  }
  drop(found->second);  // another segment at the same address, or a colliding clause
  return entries_.end();
}

FilterCache::Entries::iterator FilterCache::bring(const std::shared_ptr<const Segment>& segment,
                                                  uint64_t mapping_version, std::string_view clause,
                                                  bool& known) {
  const uint64_t key = make_key(segment.get(), mapping_version, clause);
  const auto at = locate(key, segment, mapping_version, clause);
  known = at != entries_.end();
  if (known) {
    entries_.splice(entries_.begin(), entries_, at);
  } else {
    entries_.push_front({key, segment, mapping_version, std::string(clause), nullptr, nullptr,
                         nullptr, nullptr, kAnyLive});
    by_key_[key] = entries_.begin();
    bytes_ += entries_.front().bytes();
    if (first_requests != nullptr) first_requests->keys_.push_back(key);
  }
  return entries_.begin();
}

FilterCache::Lookup FilterCache::find(const std::shared_ptr<const Segment>& segment,
                                      uint64_t mapping_version, std::string_view clause) {
  const std::lock_guard lock(mutex_);
  bool known = false;
  const auto at = bring(segment, mapping_version, clause, known);
  const Lookup found{at->set, known && at->set == nullptr};
  (at->set != nullptr ? hits_ : misses_)++;
  if (!known) trim();
  return found;
}

FilterCache::Numbered FilterCache::find_numbering(const std::shared_ptr<const Segment>& segment,
                                                  std::string_view field) {
  const std::lock_guard lock(mutex_);
  bool known = false;
  const auto at = bring(segment, 0, numbering_clause(field), known);
  Numbered found{at->numbering, known};
  if (!known) trim();
  return found;
}

void FilterCache::put_numbering(const std::shared_ptr<const Segment>& segment,
                                std::string_view field,
                                std::shared_ptr<const TermNumbering> numbering) {
  const std::lock_guard lock(mutex_);
  bool known = false;
  const auto at = bring(segment, 0, numbering_clause(field), known);
  bytes_ -= at->bytes();
  at->numbering = std::move(numbering);
  bytes_ += at->bytes();
  trim();
}

FilterCache::Counted FilterCache::find_totals(const std::shared_ptr<const Segment>& segment,
                                              std::string_view name, uint32_t live) {
  const std::lock_guard lock(mutex_);
  bool known = false;
  const auto at = bring(segment, version_of(live), totals_clause(name), known);
  Counted found{at->live == live ? at->totals : nullptr, known};
  if (!known) trim();
  return found;
}

void FilterCache::put_totals(const std::shared_ptr<const Segment>& segment, std::string_view name,
                             SegmentTotalsPtr totals, uint32_t live) {
  const std::lock_guard lock(mutex_);
  bool known = false;
  const auto at = bring(segment, version_of(live), totals_clause(name), known);
  bytes_ -= at->bytes();
  at->totals = std::move(totals);
  at->live = live;
  bytes_ += at->bytes();
  trim();
}

std::string FilterCache::joint_name(std::string_view kind, std::string_view field,
                                    std::string_view text) {
  std::string name;
  name.reserve(kJoint.size() + kind.size() + field.size() + text.size() + 2);
  return name.append(kJoint).append(kind).append(1, '\0').append(field).append(1, '\0').append(
      text);
}

FilterCache::Joint FilterCache::find_joint(const SegmentList& segments, std::string_view name) {
  const std::lock_guard lock(mutex_);
  bool known = false;
  const auto at = bring(*segments[0], 0, name, known);
  Joint found{nullptr, known};
  if (at->joint != nullptr && at->joint->is_of(segments)) {
    found.entry = at->joint->entry;
    hits_ += found.entry->filters();
  }
  if (!known) trim();
  return found;
}

void FilterCache::put_joint(const SegmentList& segments, std::string_view name,
                            JointEntryPtr entry) {
  auto joint = std::make_unique<const OfSeveral>(segments, std::move(entry));
  const std::lock_guard lock(mutex_);
  bool known = false;
  const auto at = bring(*segments[0], 0, name, known);
  bytes_ -= at->bytes();
  at->joint = std::move(joint);
  bytes_ += at->bytes();
  trim();
}

void FilterCache::put(const std::shared_ptr<const Segment>& segment, uint64_t mapping_version,
                      std::string_view clause, DocIdSetPtr set) {
  const uint64_t key = make_key(segment.get(), mapping_version, clause);
  const std::lock_guard lock(mutex_);
  const auto at = locate(key, segment, mapping_version, clause);
  if (at == entries_.end() || at->set != nullptr) return;
  bytes_ -= at->bytes();
  at->set = std::move(set);
  bytes_ += at->bytes();
  trim();
}

void FilterCache::drop(Entries::iterator entry) {
  bytes_ -= entry->bytes();
  by_key_.erase(entry->key);
  entries_.erase(entry);
}

void FilterCache::trim() {
  while (bytes_ > budget_ && !entries_.empty()) drop(std::prev(entries_.end()));
}

size_t FilterCache::bytes() const {
  const std::lock_guard lock(mutex_);
  return bytes_;
}

uint64_t FilterCache::hits() const {
  const std::lock_guard lock(mutex_);
  return hits_;
}

uint64_t FilterCache::misses() const {
  const std::lock_guard lock(mutex_);
  return misses_;
}

}  // namespace quarry
