// Caches document sets of repeated filters, term numberings, totals of segments and joint results
// about several segments, for all searches of the process.
#pragma once

#include <cstdint>
#include <limits>
#include <list>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "query/scorers/doc_id_set.h"

namespace quarry {

class TermNumbering;

/// Integers; see query/aggs/frame/segment_totals.h.
using SegmentTotals = std::vector<uint64_t>;
using SegmentTotalsPtr = std::shared_ptr<const SegmentTotals>;

/// A cached result about a list of segments; thread-safe.
class JointEntry {
 public:
  JointEntry() = default;
  JointEntry(const JointEntry&) = delete;
  JointEntry& operator=(const JointEntry&) = delete;
  virtual ~JointEntry() = default;
  virtual size_t bytes() const = 0;
  /// Number of filter sets in the entry, which count as that many cache hits.
  virtual uint64_t filters() const { return 0; }
};
using JointEntryPtr = std::shared_ptr<const JointEntry>;
using SegmentList = std::vector<const std::shared_ptr<const Segment>*>;

/// Thread-safe; evicts the least recently used entries to stay within a byte budget. An entry
/// belongs to one segment, one mapping version and the exact bytes of a clause, and becomes invalid
/// with the segment. A set is admitted at the second request.
class FilterCache {
 public:
  explicit FilterCache(size_t budget_bytes);
  ~FilterCache();
  FilterCache(const FilterCache&) = delete;
  FilterCache& operator=(const FilterCache&) = delete;

  struct Lookup {
    DocIdSetPtr set;     // null: not cached
    bool admit = false;  // whether put() should be called
  };
  Lookup find(const std::shared_ptr<const Segment>& segment, uint64_t mapping_version,
              std::string_view clause);
  void put(const std::shared_ptr<const Segment>& segment, uint64_t mapping_version,
           std::string_view clause, DocIdSetPtr set);

  /// The numbering of the terms of a field over several segments, of which `segment` is the first
  /// (query/aggs/terms/term_numbering.h). Admission, eviction and hit counting are as for sets.
  struct Numbered {
    std::shared_ptr<const TermNumbering> numbering;  // null: not cached
    bool requested_before = false;
  };
  Numbered find_numbering(const std::shared_ptr<const Segment>& segment, std::string_view field);
  /// Replaces a numbering for other segments.
  void put_numbering(const std::shared_ptr<const Segment>& segment, std::string_view field,
                     std::shared_ptr<const TermNumbering> numbering);

  /// Totals of a segment under a name; admission, eviction and hit counting are as for sets.
  /// `live`: the totals are valid for that number of live documents and are replaced after further
  /// deletions; kAnyLive: they are valid regardless of deletions.
  static constexpr uint32_t kAnyLive = std::numeric_limits<uint32_t>::max();
  struct Counted {
    SegmentTotalsPtr totals;  // null: not cached
    bool requested_before = false;
  };
  Counted find_totals(const std::shared_ptr<const Segment>& segment, std::string_view name,
                      uint32_t live = kAnyLive);
  void put_totals(const std::shared_ptr<const Segment>& segment, std::string_view name,
                  SegmentTotalsPtr totals, uint32_t live = kAnyLive);

  /// The name of a joint entry about `text` in a field; each kind of entry has separate names.
  static std::string joint_name(std::string_view kind, std::string_view field,
                                std::string_view text);
  /// The joint entry about exactly these segments, at least one; `name` is a joint_name().
  struct Joint {
    JointEntryPtr entry;  // null: not cached
    bool requested_before = false;
  };
  Joint find_joint(const SegmentList& segments, std::string_view name);
  /// Replaces an entry for other segments with the same first segment.
  void put_joint(const SegmentList& segments, std::string_view name, JointEntryPtr entry);

  size_t bytes() const;
  uint64_t hits() const;
  uint64_t misses() const;

  /// What the calling thread asks for the first time while this exists, so that a call that gives
  /// up leaves no request behind that would admit an entry. One at a time on a thread.
  class FirstRequests {
   public:
    explicit FirstRequests(FilterCache& cache);
    ~FirstRequests();
    FirstRequests(const FirstRequests&) = delete;
    FirstRequests& operator=(const FirstRequests&) = delete;
    /// Entries that hold something by now stay.
    void forget();

   private:
    friend class FilterCache;
    FilterCache& cache_;
    std::vector<uint64_t> keys_;
  };

 private:
  struct OfSeveral;
  struct Entry;
  using Entries = std::list<Entry>;

  /// Moves the entry of a clause to the front, or creates it there. `known`: it existed.
  Entries::iterator bring(const std::shared_ptr<const Segment>& segment, uint64_t mapping_version,
                          std::string_view clause, bool& known);
  Entries::iterator locate(uint64_t key, const std::shared_ptr<const Segment>& segment,
                           uint64_t mapping_version, std::string_view clause);
  void drop(Entries::iterator entry);
  void trim();

  const size_t budget_;
  mutable std::mutex mutex_;
  Entries entries_;  // most recently used first
  std::unordered_map<uint64_t, Entries::iterator> by_key_;
  size_t bytes_ = 0;
  uint64_t hits_ = 0;
  uint64_t misses_ = 0;
};

}  // namespace quarry
