// The scorer of one term in one segment, block-wise where it can be, and the bulk loop for a lone
// term.
#pragma once

#include <memory>

#include "query/query.h"
#include "query/similarity_score.h"

namespace quarry {

/// `norms` may be null (field without norms). With `scores` false every document scores `constant`.
class TermScorer final : public Scorer {
 public:
  TermScorer(const InvertedField& field, uint32_t ordinal, const uint8_t* norms,
             const TermSimilarity& similarity, WorkCounters* counters);
  /// A term whose score nobody reads, or that scores a constant.
  TermScorer(const InvertedField& field, uint32_t ordinal, float constant, WorkCounters* counters);
  ~TermScorer() override;

  uint32_t next() override;
  uint32_t advance(uint32_t target) override;
  float score() override;
  uint64_t cost() const override { return cursor_.doc_freq(); }
  float bound() const override;
  uint32_t block_end(uint32_t target) override;
  float window_bound(uint32_t begin, uint32_t end) override;
  void set_threshold(float threshold) override;
  void score_window(uint32_t begin, uint32_t end, ScoreWindow& window) override;
  void match_window(uint32_t begin, uint32_t end, uint64_t* bits) override;
  void fill(Bitset& out) override;
  /// All documents of the segment, a block at a time.
  void run(const Leaf& leaf, Collector& collector, StopCheck& stop);

 private:
  uint8_t norm(uint32_t doc) const { return norms_ == nullptr ? kNoNorms : norms_[doc]; }
  float impact_bound(std::span<const Impact> impacts) const;
  uint32_t skip_low_blocks(uint32_t target);
  bool collect_block(const Leaf& leaf, const PostingsCursor::Block& block, Collector& collector);

  const InvertedField& field_;
  uint32_t ordinal_;
  PostingsCursor cursor_;
  std::unique_ptr<PostingsCursor> bounds_;  // looks ahead of cursor_ without decoding
  const uint8_t* norms_ = nullptr;
  TermSimilarity similarity_;
  bool scored_ = false;
  float constant_ = 0;
  float threshold_ = kNoThreshold;
  uint32_t checked_to_ = 0;  // blocks before this document are known to be worth decoding
  WorkCounters* counters_;

  PostingsCursor& bounds();
};

}  // namespace quarry
