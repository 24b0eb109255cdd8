// MAXSCORE over windows of documents. The clauses with the largest bounds, as many as needed to
// reach the threshold, are essential: they are scored into an accumulator for a whole window. The
// others are evaluated only for documents that may still score above the threshold. Scores are
// added in the same order whatever the threshold is, so pruning never changes a score.
#include "query/scorers/max_score.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <utility>

#include "query/scorers/block_selection.h"
#include "query/scorers/doc_id_set.h"
#include "query/scorers/term_scorer.h"

namespace quarry {
namespace {

constexpr double kSlack = 1e-6;  // exceeds the rounding errors of a sum of bounds

class MaxScoreBulk final : public BulkScorer {
 public:
  MaxScoreBulk(const Leaf& leaf, std::vector<ScorerPtr> clauses, uint32_t minimum,
               std::vector<ScorerPtr> filters, std::vector<ScorerPtr> excluded,
               ScoreWindowPtr& window)
      : leaf_(leaf),
        clauses_(std::move(clauses)),
        minimum_(minimum),
        filters_(std::move(filters)),
        excluded_(std::move(excluded)),
        rest_(clauses_.size() + 1, 0.0),
        window_(window) {
    if (minimum_ <= 1 && filters_.empty() && excluded_.empty())
      first_ = dynamic_cast<TermScorer*>(clauses_[0].get());
  }

  void run(Collector& collector, StopCheck& stop) override {
    // Earlier segments supplied a threshold, so small first ranges are not needed to find one.
    if (collector.threshold() != kNoThreshold) span_ = ScoreWindow::kDocs;
    uint32_t at = 0;
    while (at < leaf_.max_doc && !collector.done() && !stop.step(kStepsPerBlock)) {
      const uint32_t end = outer_end(at, collector.threshold());
      const size_t essential = partition(at, end, collector.threshold());
      if (essential == 1 && first_ != nullptr && collector.threshold() != kNoThreshold) {
        run_first(at, end, collector, stop);
      } else if (essential > 0) {
        run_range(at, end, essential, collector, stop);
      }
      at = end;
    }
  }

 private:
  /// The end of the range from `begin` that one set of bounds is used for: the next end of a block,
  /// but at least span_ documents.
  uint32_t outer_end(uint32_t begin, float threshold) {
    const uint64_t least = uint64_t{begin} + span_;
    span_ = std::min(span_ * 2, ScoreWindow::kDocs);
    if (threshold == kNoThreshold)
      return static_cast<uint32_t>(std::min<uint64_t>(least, leaf_.max_doc));
    uint32_t end = kNoMoreDocs;
    for (const ScorerPtr& clause : clauses_) end = std::min(end, clause->block_end(begin));
    return static_cast<uint32_t>(std::min<uint64_t>(std::max<uint64_t>(end, least), leaf_.max_doc));
  }

  /// The number of leading clauses that are essential in [begin, end); 0: no document there can
  /// score above the threshold.
  size_t partition(uint32_t begin, uint32_t end, float threshold) {
    if (threshold == kNoThreshold) {
      std::fill(rest_.begin(), rest_.end(), 0.0);
      return clauses_.size();
    }
    double sum = 0;
    size_t essential = 0;
    for (size_t i = clauses_.size(); i-- > 0;) {
      sum += static_cast<double>(clauses_[i]->window_bound(begin, end));
      rest_[i] = sum;
      if (essential == 0 && upper(sum) > threshold) essential = i + 1;
    }
    return essential;
  }

  float upper(double sum) const { return sum_upper_bound(sum, clauses_.size()); }

  /// Only the first clause can bring a document above the threshold: its blocks are scored as a
  /// whole, and the others are evaluated for the selected documents.
  void run_first(uint32_t begin, uint32_t end, Collector& collector, StopCheck& stop) {
    while (begin < end && !collector.done() && !stop.step(kStepsPerBlock)) {
      const TermScorer::ScoredBlock block = first_->scored_block(begin);
      if (block.docs.empty()) return;
      BlockSelection selected = select(block, begin, end, collector.threshold());
      while (!selected.empty() && !collector.done()) {
        const size_t i = selected.pop();
        const uint32_t doc = block.docs[i];
        if (leaf_.live != nullptr && !leaf_.live->test(doc)) continue;
        finish(doc, static_cast<double>(block.scores[i]), 1, 1, collector);
      }
      begin = block.docs.back() + 1;
    }
  }

  /// The documents of the block in [begin, end) that may score above the threshold.
  BlockSelection select(const TermScorer::ScoredBlock& block, uint32_t begin, uint32_t end,
                        float threshold) {
    const double others = rest_[1] * (1 + kSlack);
    const float min_competitive_score =
        std::nextafter(static_cast<float>(static_cast<double>(threshold) - others), kNoThreshold);
    return {block.docs, block.scores, begin, end, min_competitive_score};
  }

  void run_range(uint32_t begin, uint32_t end, size_t essential, Collector& collector,
                 StopCheck& stop) {
    if (window_ == nullptr) window_ = std::make_unique<ScoreWindow>();
    window_->count_matches = minimum_ > 1;
    while (begin < end && !collector.done() && !stop.expired()) {
      uint32_t first = kNoMoreDocs;
      for (size_t i = 0; i < essential; i++)
        first = std::min(first, clauses_[i]->advance_match(begin));
      if (first >= end) return;
      window_->begin = first;
      const uint32_t window_end =
          static_cast<uint32_t>(std::min<uint64_t>(uint64_t{first} + ScoreWindow::kDocs, end));
      for (size_t i = 0; i < essential; i++) clauses_[i]->score_window(first, window_end, *window_);
      apply_filters(first, window_end);
      // Filters and scores may be incomplete; sweep() clears the rest of the window.
      if (stop.stopped()) std::fill(std::begin(window_->bits), std::end(window_->bits), 0);
      sweep(essential, collector);
      begin = window_end;
    }
  }

  /// Clears the bits of documents that are deleted, filtered out or excluded. touched_ keeps their
  /// bits, so that their scores are reset with the others.
  void apply_filters(uint32_t begin, uint32_t end) {
    constexpr size_t kWords = ScoreWindow::kDocs / 64;
    std::copy(window_->bits, window_->bits + kWords, touched_);
    uint64_t mask[kWords] = {};
    if (leaf_.live != nullptr) {
      copy_bits(*leaf_.live, begin, end, mask);
      for (size_t i = 0; i < kWords; i++) window_->bits[i] &= mask[i];
    }
    for (const ScorerPtr& filter : filters_) {
      std::fill(mask, mask + kWords, 0);
      filter->match_window(begin, end, mask);
      for (size_t i = 0; i < kWords; i++) window_->bits[i] &= mask[i];
    }
    for (const ScorerPtr& excluded : excluded_) {
      std::fill(mask, mask + kWords, 0);
      excluded->match_window(begin, end, mask);
      for (size_t i = 0; i < kWords; i++) window_->bits[i] &= ~mask[i];
    }
  }

  /// Lower bound of the sum of the essential clauses for a score above the threshold.
  double min_competitive_sum(size_t essential, float threshold) const {
    if (threshold == kNoThreshold) return -std::numeric_limits<double>::infinity();
    const auto limit = static_cast<double>(threshold);
    return limit - std::abs(limit) * kSlack - rest_[essential] * (1 + kSlack);
  }

  /// Finishes and collects the documents of the window, then clears it.
  void sweep(size_t essential, Collector& collector) {
    double minimum = min_competitive_sum(essential, collector.threshold());
    for (size_t word = 0; word < ScoreWindow::kDocs / 64; word++) {
      uint64_t bits = window_->bits[word];
      while (bits != 0 && !collector.done()) {
        const auto at =
            static_cast<uint32_t>(word * 64) + static_cast<uint32_t>(std::countr_zero(bits));
        bits &= bits - 1;
        if (!(window_->scores[at] > minimum)) continue;
        finish(window_->begin + at, window_->scores[at], minimum_ > 1 ? window_->matched[at] : 1,
               essential, collector);
        minimum = min_competitive_sum(essential, collector.threshold());
      }
      clear(word);
    }
  }

  /// `sum` and `matched` are those of the essential clauses.
  void finish(uint32_t doc, double sum, uint32_t matched, size_t essential, Collector& collector) {
    const float threshold = collector.threshold();
    for (size_t i = essential; i < clauses_.size(); i++) {
      if (threshold != kNoThreshold && !(upper(sum + rest_[i]) > threshold)) return;
      if (clauses_[i]->advance_match(doc) != doc) continue;
      sum += static_cast<double>(clauses_[i]->score());
      leaf_.counters->docs_scored++;
      matched++;
    }
    const auto score = static_cast<float>(sum);
    if (leaf_.stop->stopped()) return;
    if (matched >= minimum_ && (threshold == kNoThreshold || score > threshold))
      collector.collect(doc, score);
  }

  void clear(size_t word) {
    uint64_t bits = touched_[word];
    touched_[word] = 0;
    window_->bits[word] = 0;
    while (bits != 0) {
      const size_t at = word * 64 + static_cast<size_t>(std::countr_zero(bits));
      bits &= bits - 1;
      window_->scores[at] = 0;
      if (minimum_ > 1) window_->matched[at] = 0;
    }
  }

  const Leaf& leaf_;
  std::vector<ScorerPtr> clauses_;
  uint32_t minimum_;
  std::vector<ScorerPtr> filters_;
  std::vector<ScorerPtr> excluded_;
  std::vector<double> rest_;  // sum of the bounds of clauses [i, end)
  ScoreWindowPtr& window_;
  TermScorer* first_ = nullptr;  // the first clause, if it is a term and all others are optional
  uint32_t span_ = 256;  // documents of the next range, small at first to obtain a threshold early
  uint64_t touched_[ScoreWindow::kDocs / 64] = {};
};

}  // namespace

std::unique_ptr<BulkScorer> make_max_score(const Leaf& leaf, std::vector<ScorerPtr> clauses,
                                           uint32_t minimum_should_match,
                                           std::vector<ScorerPtr> filters,
                                           std::vector<ScorerPtr> excluded,
                                           ScoreWindowPtr& window) {
  return std::make_unique<MaxScoreBulk>(leaf, std::move(clauses), minimum_should_match,
                                        std::move(filters), std::move(excluded), window);
}

}  // namespace quarry
