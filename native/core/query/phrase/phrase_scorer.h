// Iterates over the documents that have all terms of a phrase, and confirms those with the phrase.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "query/phrase/phrase_matcher.h"
#include "query/plan/query.h"
#include "query/scorers/block_selection.h"
#include "query/scorers/window_intersection.h"
#include "query/vectors/similarity_score.h"

namespace quarry {

/// The postings of one part: those of one term, or the union of several terms.
class PhrasePostings {
 public:
  PhrasePostings(const InvertedField& field, const std::vector<uint32_t>& ordinals);
  uint64_t cost() const { return cost_; }
  uint32_t doc() const { return doc_; }
  bool before(uint32_t target) const { return !started_ || doc_ < target; }
  uint32_t advance(uint32_t target);
  uint32_t advance_to(uint32_t target) { return before(target) ? advance(target) : doc_; }
  /// The number of occurrences in the current document, over all terms.
  uint32_t freq();
  /// The positions in the current document; valid until the next call.
  PartPositions positions();
  /// Sets bit doc - `begin` for every document in [begin, end); begin >= the previous end. doc()
  /// does not change.
  void match_window(uint32_t begin, uint32_t end, uint64_t* bits);
  /// The postings of a part with one term, for block-wise access; null otherwise.
  PostingsCursor* single() const { return cursors_.size() == 1 ? cursors_[0].get() : nullptr; }
  /// The bound cursor of a part with one term; null otherwise.
  PostingsCursor* bounds();
  PostingsWork work() const;

 private:
  std::vector<std::unique_ptr<PostingsCursor>> cursors_;
  const PostingsSource* source_ = nullptr;
  std::unique_ptr<PostingsCursor> bounds_;  // created on demand
  std::vector<uint32_t> positions_;
  uint64_t cost_ = 0;
  uint32_t doc_ = 0;
  bool started_ = false;
};

class PhraseScorer final : public Scorer {
 public:
  /// `parts` in phrase order. `norms` may be null. No document matches any more once `leaf.stop`
  /// expires.
  PhraseScorer(const PhraseShape& shape, std::vector<PhrasePostings> parts, const uint8_t* norms,
               const TermSimilarity& similarity, bool scored, const Leaf& leaf);
  ~PhraseScorer() override;

  uint32_t next() override { return align(before(0) ? 0 : doc() + 1); }
  uint32_t advance(uint32_t target) override { return align(target); }
  bool matches() override;
  float score() override { return scored_ ? similarity_.score(frequency_, norm()) : 0.0F; }
  /// Frequency in the current, confirmed document, with all matches counted.
  float frequency();
  uint64_t cost() const override { return order_[0]->cost(); }
  float bound() const override { return scored_ ? similarity_.bound() : 0.0F; }
  uint32_t block_end(uint32_t target) override;
  float window_bound(uint32_t begin, uint32_t end) override;
  void set_threshold(float threshold) override;
  void match_window(uint32_t begin, uint32_t end, uint64_t* bits) override;
  uint32_t list_matches(uint32_t from, uint32_t* out) override;

  /// True if gathering the documents that have every part as bits is faster than iterating over
  /// them.
  bool dense() const;
  /// The bits of the documents in [begin, end) that have every part; begin >= the previous end.
  /// Valid until the next call.
  std::span<const uint64_t> candidates(uint32_t begin, uint32_t end);
  /// Moves to `doc`, a candidate after doc(), and confirms it.
  bool matches_at(uint32_t doc);
  /// Whether run_blocks() may collect all documents, a block of the rarest part at a time: for
  /// exact phrases of single terms whose scores are read.
  bool by_blocks() const { return scored_ && shape_.slop == 0 && order_[0]->single() != nullptr; }
  void run_blocks(uint32_t from, const Leaf& leaf, Collector& collector, StopCheck& stop);
  /// Marks documents before `from` as processed: next() continues from there.
  void leave_behind(uint32_t from) {
    if (from > 0) move(from - 1);
  }

 private:
  uint8_t norm() const { return norms_ == nullptr ? kNoNorms : norms_[doc()]; }
  uint32_t align(uint32_t target);
  uint32_t skip_low_blocks(uint32_t target);
  /// True if frequencies bound scores, and there is a threshold.
  bool bounded() const { return threshold_ != kNoThreshold && scored_ && shape_.slop == 0; }
  /// Whether a document with this frequency may score above the threshold.
  bool may_compete(uint32_t doc, uint32_t freq) const;
  uint32_t select(const PostingsCursor::Block& block, uint32_t from, uint32_t* out) const;
  bool read_positions();
  bool read_part(size_t part);
  void collect_listed(std::span<uint32_t> docs, const Leaf& leaf, Collector& collector);

  const PhraseShape& shape_;
  std::vector<PhrasePostings> parts_;
  std::vector<PhrasePostings*> order_;  // rarest first
  // Of the single-term parts after the first.
  std::vector<PostingsCursor*> others_;
  std::vector<PartPositions> positions_;
  WindowIntersection<PhrasePostings> window_;
  SloppyMatcher sloppy_;
  const uint8_t* norms_;
  const TermSimilarity& similarity_;
  bool scored_;
  WorkCounters* counters_;
  StopCheck& stop_;
  float frequency_ = 0;
  float threshold_ = kNoThreshold;
  uint32_t checked_to_ = 0;
  // End of the documents that list_matches() has listed from the rarest part.
  uint32_t lead_to_ = 0;
};

}  // namespace quarry
