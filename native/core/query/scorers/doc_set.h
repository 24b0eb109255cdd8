// The documents of a segment that match: one at a time, or a block of them as a list or as bits. A
// DocSet knows nothing of scores (query.h adds them).
#pragma once

#include <cstdint>
#include <span>

#include "postings/postings.h"
#include "query/scorers/join_strategy.h"

namespace quarry {

/// Iterates over the documents of one segment in ascending order, deleted ones included. Not
/// thread-safe. A two-phase set proposes candidates; matches() confirms the current one.
class DocSet {
 public:
  DocSet() = default;
  DocSet(const DocSet&) = delete;
  DocSet& operator=(const DocSet&) = delete;
  virtual ~DocSet() = default;

  /// Current candidate; undefined before the first move, kNoMoreDocs at the end.
  uint32_t doc() const noexcept { return static_cast<uint32_t>(at_); }
  bool before(uint32_t target) const noexcept { return at_ < static_cast<int64_t>(target); }
  virtual uint32_t next() = 0;
  /// Moves to the first candidate >= `target`, which must be greater than doc().
  virtual uint32_t advance(uint32_t target) = 0;
  uint32_t advance_to(uint32_t target) { return before(target) ? advance(target) : doc(); }

  bool two_phase() const noexcept { return two_phase_; }
  virtual bool matches() { return true; }
  uint32_t next_match() { return confirm(next()); }
  uint32_t advance_match(uint32_t target) { return confirm(advance_to(target)); }

  /// Estimate of the number of candidates.
  virtual uint64_t cost() const = 0;

  // Operations on many documents at once.
  /// Sets bit doc - begin for all matches in [begin, end); `begin` >= the previous `end`.
  virtual void match_window(uint32_t begin, uint32_t end, uint64_t* bits);
  /// Writes the first matches >= `from`, ascending and at most kBlockDocs, and returns their
  /// number, 0 at the end. `from` ascends from call to call; doc() may lag behind.
  virtual uint32_t list_matches(uint32_t from, uint32_t* out);
  /// Moves those of `docs` that match to its front, in order, and returns their number. The
  /// documents ascend from call to call; doc() may lag behind.
  virtual uint32_t keep_matches(std::span<uint32_t> docs);

  /// Whether list_matches() is the faster way to count; match_window() would only convert lists to
  /// bits.
  bool is_listed() const noexcept { return listed_; }
  /// Cost of match_window() over the whole segment, in documents of gathered postings.
  uint64_t bits_cost() const {
    return bits_cost_ != kByCandidate ? bits_cost_ : join::kDocsPerCandidate * cost();
  }

 protected:
  uint32_t move(uint32_t doc) noexcept {
    at_ = doc;
    return doc;
  }
  // Set while the set is made; by default it confirms nothing, is not listed, and match_window()
  // walks over the candidates.
  void set_two_phase(bool two_phase) noexcept { two_phase_ = two_phase; }
  void set_listed(bool listed) noexcept { listed_ = listed; }
  void set_bits_cost(uint64_t cost) noexcept { bits_cost_ = cost; }

 private:
  static constexpr uint64_t kByCandidate = UINT64_MAX;

  uint32_t confirm(uint32_t doc) {
    while (doc != kNoMoreDocs && !matches()) doc = next();
    return doc;
  }

  int64_t at_ = -1;
  uint64_t bits_cost_ = kByCandidate;
  bool two_phase_ = false;
  bool listed_ = false;
};

}  // namespace quarry
