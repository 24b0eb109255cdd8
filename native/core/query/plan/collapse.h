// Collapse: keeps only the first of all hits that have the same value of a field.
#pragma once

#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "query/plan/hit_counter.h"
#include "query/sort/sort_collector.h"

namespace quarry {

/// Maps documents to groups. Group numbers are valid across all segments of the search.
class GroupSource {
 public:
  /// illegal_argument_exception for a field that documents cannot be grouped by. `by_terms`: the
  /// groups are searched for afterwards (inner_hits), so the field has to be indexed.
  static Result<std::unique_ptr<GroupSource>> make(Compiler& compiler, std::string_view field,
                                                   bool by_terms);

  void start_leaf(const Leaf& leaf);
  /// The group of a document. All documents without a value form one group.
  uint32_t group_of(uint32_t doc);
  /// The value as JSON; null for the group without one.
  const std::string& value(uint32_t group) const { return *values_[group]; }
  /// Whether a document with several values was seen; such a document belongs to no group.
  bool saw_several() const { return saw_several_; }
  Status several_values() const;

 private:
  explicit GroupSource(const ResolvedField& resolved) : resolved_(resolved) {}
  uint32_t number_of(std::string value);

  ResolvedField resolved_;
  const SegmentField* segment_field_ = nullptr;
  std::unordered_map<int64_t, uint32_t> by_column_value_;  // of the current segment
  std::unordered_map<std::string, uint32_t> by_value_;
  std::vector<const std::string*> values_;  // keys of by_value_, by number
  bool saw_several_ = false;
};

/// Keeps the first hit of each of the first `window` groups. All hits are counted.
class GroupCollector final : public Collector {
 public:
  /// `sources` and `groups` must outlive the collector; `after`: one value per source, or empty.
  GroupCollector(const CollectorOptions& options, SortSources& sources, GroupSource& groups,
                 const std::vector<SortValue>& after, bool track_scores);

  bool needs_scores() const override { return needs_scores_; }
  void start_leaf(const Leaf& leaf, int64_t known_count) override;
  void collect(uint32_t doc, float score) override;

  struct Head {
    SortedHit hit;
    uint32_t group = 0;
  };
  /// The heads in sort order. The collector cannot be used afterwards.
  std::vector<Head> take();
  const HitCounter& counter() const { return counter_; }
  bool terminated_early() const { return terminated_; }
  float max_score() const { return max_score_; }

 private:
  struct Before {
    const SortSources* sources;
    bool operator()(const Head& a, const Head& b) const;
  };
  using Heads = std::set<Head, Before>;

  int compare(SortSource::Anchor anchor, uint32_t doc, float score);
  void insert(uint32_t doc, float score);

  CollectorOptions options_;
  HitCounter counter_;
  SortSources& sources_;
  GroupSource& groups_;
  bool has_after_;
  bool needs_scores_;
  Heads heads_;
  std::unordered_map<uint32_t, Heads::iterator> by_group_;
  uint32_t base_ = 0;
  uint64_t collected_ = 0;
  bool terminated_ = false;
  float max_score_ = 0;
};

}  // namespace quarry
