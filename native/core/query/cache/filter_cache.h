// Document sets of filters that are asked for again and again, numbers of terms, totals of segments, and what was found
// out about several segments together, shared by all searches of a process.
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

#include "query/scorers/doc_set.h"

namespace quarry {

class TermNumbering;

/// Whole numbers (query/aggs/frame/segment_totals.h).
using SegmentTotals = std::vector<uint64_t>;
using SegmentTotalsPtr = std::shared_ptr<const SegmentTotals>;

/// What was found out about a list of segments; thread-safe.
class JointEntry {
 public:
  JointEntry() = default;
  JointEntry(const JointEntry&) = delete;
  JointEntry& operator=(const JointEntry&) = delete;
  virtual ~JointEntry() = default;
  virtual size_t bytes() const = 0;
  /// Sets of filters that it answers for, as hits are counted.
  virtual uint64_t filters() const { return 0; }
};
using JointEntryPtr = std::shared_ptr<const JointEntry>;
using SegmentList = std::vector<const std::shared_ptr<const Segment>*>;

/// Thread-safe, least recently used first out, within a byte budget. An entry belongs to one
/// segment, one mapping version and the exact bytes of a clause; it dies with the segment. A set is
/// admitted when it is asked for the second time.
class FilterCache {
 public:
  explicit FilterCache(size_t budget_bytes);
  ~FilterCache();
  FilterCache(const FilterCache&) = delete;
  FilterCache& operator=(const FilterCache&) = delete;

  struct Lookup {
    DocSetPtr set;       // null: not there
    bool admit = false;  // put() would be welcome
  };
  Lookup find(const std::shared_ptr<const Segment>& segment, uint64_t mapping_version,
              std::string_view clause);
  void put(const std::shared_ptr<const Segment>& segment, uint64_t mapping_version,
           std::string_view clause, DocSetPtr set);

  /// Numbers of the terms of a field over several segments, of which `segment` is the first
  /// (query/aggs/terms/term_numbering.h): admitted, kept and counted as sets are.
  struct Numbered {
    std::shared_ptr<const TermNumbering> numbering;  // null: not there
    bool asked_before = false;
  };
  Numbered find_numbering(const std::shared_ptr<const Segment>& segment, std::string_view field);
  /// Takes the place of one of other segments.
  void put_numbering(const std::shared_ptr<const Segment>& segment, std::string_view field,
                     std::shared_ptr<const TermNumbering> numbering);

  /// Totals of a segment under a name: admitted, kept and counted as sets are. `live`: they hold for so many live
  /// documents, and others take their place once more are deleted; without it they hold whatever is deleted.
  static constexpr uint32_t kAnyLive = std::numeric_limits<uint32_t>::max();
  struct Counted {
    SegmentTotalsPtr totals;  // null: not there
    bool asked_before = false;
  };
  Counted find_totals(const std::shared_ptr<const Segment>& segment, std::string_view name,
                      uint32_t live = kAnyLive);
  void put_totals(const std::shared_ptr<const Segment>& segment, std::string_view name,
                  SegmentTotalsPtr totals, uint32_t live = kAnyLive);

  /// The name of what is known of `text` in a field; a kind of entry has names of its own.
  static std::string joint_name(std::string_view kind, std::string_view field, std::string_view text);
  /// What is known of exactly these segments, of which there is one at least; `name` is a joint_name().
  struct Joint {
    JointEntryPtr entry;  // null: not there
    bool asked_before = false;
  };
  Joint find_joint(const SegmentList& segments, std::string_view name);
  /// Takes the place of one of other segments that begin with the same.
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

  /// The entry of a clause, at the front; made where there is none. `known`: there was one.
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
