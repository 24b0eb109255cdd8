// Walks the documents that hold all terms of a phrase and confirms those that hold the phrase.
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

/// The postings of one part: of one term, or the union of several.
class PhrasePostings {
 public:
  PhrasePostings(const InvertedField& field, const std::vector<uint32_t>& ordinals);
  uint64_t cost() const { return cost_; }
  uint32_t doc() const { return doc_; }
  bool before(uint32_t target) const { return !started_ || doc_ < target; }
  uint32_t advance(uint32_t target);
  uint32_t advance_to(uint32_t target) { return before(target) ? advance(target) : doc_; }
  /// Occurrences in the current document, of all terms.
  uint32_t freq();
  /// Valid until the next call.
  PartPositions positions();
  /// Sets bit doc - `begin` for every document in [begin, end); begin >= the last end. doc() stays.
  void match_window(uint32_t begin, uint32_t end, uint64_t* bits);
  /// Of a part with one term: its postings, to go through block by block.
  PostingsCursor* single() const { return cursors_.size() == 1 ? cursors_[0].get() : nullptr; }
  /// Bound cursor of a part with one term, null otherwise.
  PostingsCursor* bounds();
  PostingsWork work() const;

 private:
  std::vector<std::unique_ptr<PostingsCursor>> cursors_;
  const PostingsSource* source_ = nullptr;
  std::unique_ptr<PostingsCursor> bounds_;  // made when it is asked for
  std::vector<uint32_t> positions_;
  uint64_t cost_ = 0;
  uint32_t doc_ = 0;
  bool started_ = false;
};

class PhraseScorer final : public Scorer {
 public:
  /// `parts` in phrase order. `norms` may be null. Once `leaf.stop` says so no document matches any more.
  PhraseScorer(const PhraseShape& shape, std::vector<PhrasePostings> parts, const uint8_t* norms,
               const TermSimilarity& similarity, bool scored, const Leaf& leaf);
  ~PhraseScorer() override;

  uint32_t next() override { return align(before(0) ? 0 : doc() + 1); }
  uint32_t advance(uint32_t target) override { return align(target); }
  bool two_phase() const override { return true; }
  bool matches() override;
  float score() override { return scored_ ? similarity_.score(frequency_, norm()) : 0.0F; }
  /// Of the current, confirmed document, all matches counted.
  float frequency();
  uint64_t cost() const override { return order_[0]->cost(); }
  float bound() const override { return scored_ ? similarity_.bound() : 0.0F; }
  uint32_t block_end(uint32_t target) override;
  float window_bound(uint32_t begin, uint32_t end) override;
  void set_threshold(float threshold) override;
  void match_window(uint32_t begin, uint32_t end, uint64_t* bits) override;
  bool is_listed() const override { return order_[0]->single() != nullptr && !dense(); }
  uint32_t list_matches(uint32_t from, uint32_t* out) override;

  /// Gathering the documents that hold every part as bits beats walking to them.
  bool dense() const;
  /// Bits of the documents in [begin, end) that hold every part; begin >= the last end. Valid until
  /// the next call.
  std::span<const uint64_t> candidates(uint32_t begin, uint32_t end);
  /// Moves to `doc`, a candidate behind doc(), and confirms it.
  bool matches_at(uint32_t doc);
  /// Goes through all documents, a block of the rarest part at a time; of exact phrases of single
  /// terms whose scores matter.
  bool by_blocks() const { return scored_ && shape_.slop == 0 && order_[0]->single() != nullptr; }
  void run_blocks(uint32_t from, const Leaf& leaf, Collector& collector, StopCheck& stop);
  /// Documents before `from` are dealt with: next() goes on from there.
  void leave_behind(uint32_t from) {
    if (from > 0) move(from - 1);
  }

 private:
  uint8_t norm() const { return norms_ == nullptr ? kNoNorms : norms_[doc()]; }
  uint32_t align(uint32_t target);
  uint32_t skip_low_blocks(uint32_t target);
  /// Frequencies bound scores, and there is something to beat.
  bool bounded() const { return threshold_ != kNoThreshold && scored_ && shape_.slop == 0; }
  /// A document of that frequency may score above the threshold.
  bool may_compete(uint32_t doc, uint32_t freq) const;
  uint32_t select(const PostingsCursor::Block& block, uint32_t from, uint32_t* out) const;
  bool read_positions();
  bool read_part(size_t part);
  void collect_listed(std::span<uint32_t> docs, const Leaf& leaf, Collector& collector);

  const PhraseShape& shape_;
  std::vector<PhrasePostings> parts_;
  std::vector<PhrasePostings*> order_;  // rarest first
  std::vector<PostingsCursor*> others_;  // of those behind the first that are one term
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
  uint32_t lead_to_ = 0;  // up to where list_matches() has listed the rarest part
};

}  // namespace quarry
