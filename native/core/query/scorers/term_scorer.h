// The scorer of one term in one segment, block-wise where possible, and the bulk loop for a lone
// term.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "query/plan/query.h"
#include "query/vectors/similarity_score.h"

namespace quarry {

/// Working memory of a scorer: 5 KB, not cleared on creation.
struct TermWork {
  PostingsCursor cursor;
  PostingsCursor bounds;     // looks ahead of `cursor` without decoding
  float scores[kBlockDocs];  // of the block last scored as a whole
};

/// Working memory of one clause, whose scorers for consecutive segments reuse it.
class TermWorkPool {
 public:
  std::unique_ptr<TermWork> take() {
    return free_ != nullptr ? std::move(free_) : std::make_unique_for_overwrite<TermWork>();
  }
  void give_back(std::unique_ptr<TermWork> work) { free_ = std::move(work); }

 private:
  std::unique_ptr<TermWork> free_;
};

/// `norms` may be null (field without norms). `similarity` and `pool` must outlive the scorer.
class TermScorer final : public Scorer {
 public:
  TermScorer(const InvertedField& field, const TermInfo& term, const uint8_t* norms,
             const TermSimilarity& similarity, WorkCounters* counters, TermWorkPool& pool);
  /// For a term whose score is not read, or that scores a constant.
  TermScorer(const InvertedField& field, const TermInfo& term, float constant,
             WorkCounters* counters, TermWorkPool& pool);
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
  uint32_t list_matches(uint32_t from, uint32_t* out) override;
  uint32_t keep_matches(std::span<uint32_t> docs) override { return cursor_.keep_common(docs); }

  // Block by block, for conjunctions (term_conjunction.h). Targets ascend.
  /// A block with the scores of all its documents.
  struct ScoredBlock {
    std::span<const uint32_t> docs;
    std::span<const float> scores;
  };
  /// The block of the first document >= `target`; empty at the end. Valid until the scorer moves.
  ScoredBlock scored_block(uint32_t target);
  /// Upper bound of the score of `target`, from the block that would contain it; below 0: no
  /// document is left.
  float bound_at(uint32_t target) { return target < seen_end_ ? seen_ : bound_of_block(target); }
  /// Tighter bound of the score of the document last passed to bound_at(), from its own length.
  float bound_by_norm(uint32_t doc) const {
    if (similarity_ == nullptr) return constant_;
    const uint8_t length = norm(doc);
    // A document of this length has at most the frequency of the longest impact that is not longer.
    uint32_t freq = 0;
    for (uint32_t i = 0; i < front_size_ && (norms_ == nullptr || front_[i].norm <= length); i++)
      freq = front_[i].freq;
    return freq == 0 ? kNoThreshold : similarity_->score(static_cast<float>(freq), length);
  }
  /// Upper bound of the scores of the segment, tighter than bound().
  float segment_bound();
  /// First document after the group of blocks that contains `target`; group_bound() bounds that
  /// group.
  uint32_t group_end(uint32_t target);
  float group_bound();

  /// For callers that walk the blocks themselves.
  PostingsCursor& postings() { return cursor_; }

  /// Collects all documents of the segment, a block at a time.
  void run(const Leaf& leaf, Collector& collector, StopCheck& stop);

 private:
  uint8_t norm(uint32_t doc) const { return norms_ == nullptr ? kNoNorms : norms_[doc]; }
  float impact_bound(std::span<const Impact> impacts) const;
  /// All documents are in one block, stored with its bound, so cursor_ needs no second cursor.
  bool single() const { return cursor_.doc_freq() < kMinBlockedDocs; }
  float single_bound();
  float bound_in_view();
  float bound_of_block(uint32_t target);
  uint32_t skip_low_blocks(uint32_t target);
  bool collect_block(const Leaf& leaf, const ScoredBlock& block, Collector& collector);

  const InvertedField& field_;
  TermWorkPool& pool_;
  std::unique_ptr<TermWork> work_;
  PostingsCursor& cursor_;
  PostingsCursor* bounds_ = nullptr;  // null until it is needed
  const uint8_t* norms_ = nullptr;
  const TermSimilarity* similarity_ = nullptr;  // null: scores are constant or not read
  float constant_ = 0;
  float threshold_ = kNoThreshold;
  uint32_t bounded_last_ = kNoMoreDocs;  // last document of the block whose bound is kept
  float bounded_ = 0;
  float single_ = -1;      // single_bound(), below 0 until it is computed
  uint32_t seen_end_ = 0;  // seen_ is the value of bound_at() for targets before this document
  float seen_ = 0;
  uint32_t front_size_ = 0;  // of the block that seen_ bounds
  Impact front_[kMaxImpacts];
  uint32_t scored_last_ = kNoMoreDocs;  // last document of the block whose scores are in work_
  uint32_t checked_to_ = 0;  // blocks before this document are known to be worth decoding
  WorkCounters* counters_;

  PostingsCursor& bounds();
};

}  // namespace quarry
