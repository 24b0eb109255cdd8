// Collects the best hits by score; of equal scores the earlier document is better.
#pragma once

#include <cstdint>
#include <vector>

#include "query/plan/hit_counter.h"
#include "query/plan/query.h"

namespace quarry {

struct ScoredHit {
  float score = 0;
  uint32_t doc = 0;  // base + docId
};

struct CollectorOptions {
  uint32_t window = 10;
  uint32_t track_total_hits = kExactTotal;
  uint32_t terminate_after = 0;  // 0: never
  float min_score = 0;
  bool has_min_score = false;
  float min_competitive_score =
      kNoThreshold;  // hits that do not score above it are counted but not kept
};

class TopScoreCollector final : public Collector {
 public:
  /// `after`: keeps only hits with a lower score (search_after); all hits are counted.
  TopScoreCollector(const CollectorOptions& options, const float* after);

  bool needs_scores() const override { return options_.window > 0 || options_.has_min_score; }
  void start_leaf(const Leaf& leaf, int64_t known_count) override;
  void collect(uint32_t doc, float score) override;
  uint64_t wants_counted() const override {
    return options_.terminate_after == 0 && !options_.has_min_score ? counter_.left() : 0;
  }

  /// The hits, best first. The collector cannot be used afterwards.
  std::vector<ScoredHit> take();
  const HitCounter& counter() const { return counter_; }
  bool terminated_early() const { return terminated_; }

 private:
  void update_threshold();

  CollectorOptions options_;
  HitCounter counter_;
  std::vector<ScoredHit> heap_;  // worst hit on top
  uint32_t base_ = 0;
  float floor_;  // documents that score at or below it are not hits
  float after_;
  uint64_t collected_ = 0;
  bool terminated_ = false;
};

}  // namespace quarry
