// Collects the first hits in the order of a field sort; ties go to the earlier document.
#pragma once

#include <cstdint>
#include <vector>

#include "query/plan/hit_counter.h"
#include "query/plan/query.h"
#include "query/scorers/top_score.h"
#include "query/sort/sort_key.h"

namespace quarry {

struct SortedHit {
  uint32_t doc = 0;  // base + docId
  float score = 0;
  std::vector<SortValue> values;
};

class SortCollector final : public Collector {
 public:
  /// `sources` must outlive the collector. `keys_in_order`: the documents of every segment are in
  /// the order of so many leading keys. `after`: one value per source, or empty. `track_scores`:
  /// hits have scores, and max_score() is valid.
  SortCollector(const CollectorOptions& options, SortSources& sources, size_t keys_in_order,
                std::vector<SortValue> after, bool track_scores);

  /// Declares that hits after `value` in the first key cannot be kept (see sort_seed.h).
  void set_seed(const SortValue& value);

  bool needs_scores() const override { return needs_scores_; }
  void start_leaf(const Leaf& leaf, int64_t known_count) override;
  void collect(uint32_t doc, float score) override;
  uint64_t wants_counted() const override {
    return options_.terminate_after == 0 && !options_.has_min_score ? counter_.left() : 0;
  }
  uint32_t next_competitive(uint32_t doc) override;

  /// The hits in order. The collector cannot be used afterwards.
  std::vector<SortedHit> take();
  const HitCounter& counter() const { return counter_; }
  bool terminated_early() const { return terminated_; }
  float max_score() const { return max_score_; }

 private:
  struct Before;
  /// How a document compares with an anchor, and the key that decides it: their number for a tie.
  struct Order {
    int order = 0;
    size_t key = 0;
  };
  Order compare(SortSource::Anchor anchor, uint32_t doc, float score);
  void consider(uint32_t doc, float score);
  void insert(uint32_t doc, float score);
  void update_bottom();
  bool full() const { return heap_.size() >= options_.window; }

  CollectorOptions options_;
  HitCounter counter_;
  SortSources& sources_;
  size_t keys_in_order_;
  bool has_after_;
  bool has_seed_ = false;
  bool needs_scores_;
  bool track_scores_;
  std::vector<SortedHit> heap_;  // a heap with the last hit on top
  uint32_t base_ = 0;
  WorkCounters* counters_ = nullptr;
  bool leaf_done_ = false;  // no further document of the segment is among the hits
  uint64_t collected_ = 0;
  bool terminated_ = false;
  float max_score_ = 0;
};

}  // namespace quarry
