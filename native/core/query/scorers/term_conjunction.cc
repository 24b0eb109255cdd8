// Bounds are compared from cheap to expensive: the group of blocks, the block, the other clauses'
// blocks over its documents, the score itself with the bounds of the others, and then clause by
// clause, where the document's length tightens the bound of a block. A score is always summed in
// the order of the clauses, so pruning never changes a score.
#include "query/scorers/term_conjunction.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "query/scorers/block_selection.h"

namespace quarry {
namespace {

class TermConjunctionBulk final : public BulkScorer {
 public:
  TermConjunctionBulk(const Leaf& leaf, std::vector<std::unique_ptr<TermScorer>> terms,
                      std::vector<ScorerPtr> filters, ScorerPtr excluded)
      : leaf_(leaf),
        terms_(std::move(terms)),
        filters_(std::move(filters)),
        excluded_(std::move(excluded)),
        scores_(terms_.size(), 0.0F),
        rest_(terms_.size(), 0.0) {
    order_.reserve(terms_.size());
    for (size_t i = 0; i < terms_.size(); i++) order_.push_back({terms_[i].get(), &scores_[i]});
    std::stable_sort(order_.begin(), order_.end(), [](const Clause& a, const Clause& b) {
      return a.term->cost() < b.term->cost();
    });
    for (size_t i = 1; i < order_.size(); i++) {
      others_.push_back(&order_[i].term->postings());
      others_bound_ += static_cast<double>(order_[i].term->segment_bound());
    }
  }

  void run(Collector& collector, StopCheck& stop) override {
    uint32_t from = 0;
    while (from != kNoMoreDocs && !collector.done() && !stop.step(kStepsPerBlock)) {
      from = next_unfiltered(collector.next_competitive(from));
      const bool prune = collector.threshold() != kNoThreshold;
      from = prune ? collect_best(from, collector) : collect_all(from, collector);
    }
  }

 private:
  struct Clause {
    TermScorer* term;
    float* score;  // of the current document, in scores_
  };

  float upper(double sum) const { return sum_upper_bound(sum, order_.size()); }

  /// First document >= `from` that may pass the filters: blocks before it are not read.
  uint32_t next_unfiltered(uint32_t from) {
    for (const ScorerPtr& filter : filters_) {
      if (from != kNoMoreDocs) from = filter->advance_match(from);
    }
    return from;
  }

  /// First document >= `from` in a block of the lead that may score above the threshold. Sets
  /// rest_[i] to the upper bound there of the sum of the clauses after the i-th.
  uint32_t skip_low_blocks(uint32_t from, float threshold) {
    TermScorer& lead = *order_[0].term;
    while (from != kNoMoreDocs) {
      if (from >= group_end_) {
        group_end_ = lead.group_end(from);
        if (!(upper(static_cast<double>(lead.group_bound()) + others_bound_) > threshold)) {
          from = group_end_;
          continue;
        }
      }
      const uint32_t end = lead.block_end(from);
      const auto bound = static_cast<double>(lead.window_bound(from, end));
      if (upper(bound + others_bound_) > threshold &&
          upper(bound + bound_others(from, end)) > threshold) {
        return from;
      }
      from = end;
    }
    return from;
  }

  double bound_others(uint32_t begin, uint32_t end) {
    double sum = 0;
    for (size_t i = order_.size(); i-- > 0;) {
      rest_[i] = sum;
      if (i > 0) sum += static_cast<double>(order_[i].term->window_bound(begin, end));
    }
    return sum;
  }

  // Both process a block of the lead, starting at `from`, and return where to continue, or
  // kNoMoreDocs at the end.

  /// Collects the documents that may score above the threshold.
  uint32_t collect_best(uint32_t from, Collector& collector) {
    const uint32_t competitive = skip_low_blocks(from, collector.threshold());
    if (competitive != from && !filters_.empty()) return competitive;
    const TermScorer::ScoredBlock block = order_[0].term->scored_block(competitive);
    if (block.docs.empty() || !collect_block(block, competitive, collector)) return kNoMoreDocs;
    return block.docs.back() + 1;
  }

  /// Collects every match; a document is scored only after all clauses have it.
  uint32_t collect_all(uint32_t from, Collector& collector) {
    uint32_t listed[kBlockDocs];
    std::span<uint32_t> docs(listed, order_[0].term->list_matches(from, listed));
    if (docs.empty()) return kNoMoreDocs;
    const uint32_t next = docs.back() + 1;
    for (const ScorerPtr& filter : filters_) docs = docs.first(filter->keep_matches(docs));
    while (!docs.empty()) {
      for (const uint32_t doc : take_common(docs, others_)) {
        if (!collect_match(doc, collector)) return kNoMoreDocs;
      }
    }
    const bool ended = std::any_of(others_.begin(), others_.end(), [](const PostingsCursor* other) {
      return other->block_last_doc() == kNoMoreDocs;
    });
    return ended ? kNoMoreDocs : next;
  }

  /// Collects a document that all terms and filters have. False: the collector is done.
  bool collect_match(uint32_t doc, Collector& collector) {
    if (leaf_.live != nullptr && !leaf_.live->test(doc)) return true;
    if (excluded_ != nullptr && excluded_->advance_match(doc) == doc) return true;
    for (const Clause& clause : order_) {
      // With damaged postings, two ways of reading them may disagree.
      if (clause.term->advance_to(doc) != doc) return true;
      *clause.score = clause.term->score();
    }
    leaf_.counters->docs_scored++;
    finish(doc, collector);
    return !collector.done();
  }

  /// False: no further document can be found.
  bool collect_block(const TermScorer::ScoredBlock& block, uint32_t from, Collector& collector) {
    BlockSelection selected = select(block, from, collector.threshold());
    while (!selected.empty()) {
      const size_t i = selected.pop();
      const uint32_t doc = block.docs[i];
      if (doc < next_) continue;
      if (!try_document(doc, block.scores[i], collector)) return false;
      if (collector.done()) return false;
    }
    return true;
  }

  /// The documents of the block, from `from` on, that the lead's own score allows to exceed the
  /// threshold.
  BlockSelection select(const TermScorer::ScoredBlock& block, uint32_t from, float threshold) {
    const double others = rest_[0] * (1 + kSlack);
    const float min_competitive_score =
        std::nextafter(static_cast<float>(static_cast<double>(threshold) - others), kNoThreshold);
    return {block.docs, block.scores, from, kNoMoreDocs, min_competitive_score};
  }

  /// False: some clause has no more documents.
  bool try_document(uint32_t doc, float lead_score, Collector& collector) {
    if (leaf_.live != nullptr && !leaf_.live->test(doc)) return true;
    for (const ScorerPtr& filter : filters_) {
      const uint32_t found = filter->advance_match(doc);
      if (found == kNoMoreDocs) return false;
      if (found == doc) continue;
      next_ = found;
      return true;
    }
    const float threshold = collector.threshold();
    *order_[0].score = lead_score;
    auto sum = static_cast<double>(lead_score);
    for (size_t i = 1; i < order_.size(); i++) {
      TermScorer& term = *order_[i].term;
      const auto bound = static_cast<double>(term.bound_at(doc));
      if (bound < 0) return false;
      if (!(upper(sum + bound + rest_[i]) > threshold)) return true;
      const auto closer = static_cast<double>(term.bound_by_norm(doc));
      if (!(upper(sum + closer + rest_[i]) > threshold)) return true;
      const uint32_t found = term.advance_to(doc);
      if (found == kNoMoreDocs) return false;
      if (found != doc) {
        next_ = found;
        return true;
      }
      *order_[i].score = term.score();
      sum += static_cast<double>(*order_[i].score);
      if (!(upper(sum + rest_[i]) > threshold)) return true;
    }
    if (excluded_ != nullptr && excluded_->advance_match(doc) == doc) return true;
    finish(doc, collector);
    return true;
  }

  void finish(uint32_t doc, Collector& collector) {
    // A clause that was stopped excludes nothing.
    if (leaf_.stop->stopped()) return;
    double sum = 0;
    for (const float score : scores_) sum += static_cast<double>(score);
    const auto score = static_cast<float>(sum);
    leaf_.counters->docs_scored += order_.size() - 1;
    if (collector.threshold() == kNoThreshold || score > collector.threshold())
      collector.collect(doc, score);
  }

  static constexpr double kSlack = 1e-6;  // exceeds the rounding errors of a sum of bounds

  const Leaf& leaf_;
  std::vector<std::unique_ptr<TermScorer>> terms_;
  std::vector<ScorerPtr> filters_;
  ScorerPtr excluded_;
  std::vector<float> scores_;            // by clause, of the current document
  std::vector<double> rest_;             // by place in order_: bounds of the clauses after it
  std::vector<Clause> order_;            // rarest first
  std::vector<PostingsCursor*> others_;  // of the clauses after the first
  double others_bound_ = 0;              // of all clauses except the first, over the segment
  uint32_t group_end_ = 0;  // end of the last group of blocks whose bound exceeded the threshold
  uint32_t next_ = 0;       // no document before it is in all clauses
};

}  // namespace

std::unique_ptr<BulkScorer> make_term_conjunction(const Leaf& leaf,
                                                  std::vector<std::unique_ptr<TermScorer>> terms,
                                                  std::vector<ScorerPtr> filters,
                                                  ScorerPtr excluded) {
  return std::make_unique<TermConjunctionBulk>(leaf, std::move(terms), std::move(filters),
                                               std::move(excluded));
}

}  // namespace quarry
