// A heap of clauses by document, with block-max skipping for a threshold.
#include "query/scorers/disjunction.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace quarry {
namespace {

class DisjunctionScorer final : public Scorer {
 public:
  DisjunctionScorer(std::vector<ScorerPtr> clauses, uint32_t minimum, ScoreCombination combination,
                    StopCheck& stop)
      : stop_(stop), clauses_(std::move(clauses)), minimum_(minimum), combination_(combination) {
    uint64_t all_bits = 0;
    for (const ScorerPtr& clause : clauses_) {
      heap_.push_back(clause.get());
      all_bits += clause->bits_cost();
    }
    if (minimum_ <= 1) set_bits_cost(all_bits);
  }

  uint32_t next() override { return before(0) ? advance(0) : advance(doc() + 1); }

  uint32_t advance(uint32_t target) override {
    while (true) {
      if (stop_.step()) return move(kNoMoreDocs);
      if (threshold_ != kNoThreshold && target >= checked_to_) target = skip_low_blocks(target);
      if (target == kNoMoreDocs) return move(kNoMoreDocs);
      const uint32_t found = advance_heap(target);
      if (found == kNoMoreDocs) return move(kNoMoreDocs);
      if (threshold_ != kNoThreshold && found >= checked_to_) {
        target = found;
        const uint32_t competitive = skip_low_blocks(found);
        if (competitive != found) {
          target = competitive;
          continue;
        }
      }
      if (minimum_ <= 1 || count_matches(found) >= minimum_) return move(found);
      target = found + 1;
    }
  }

  float score() override {
    double sum = 0;
    double maximum = 0;
    for (const ScorerPtr& clause : clauses_) {
      if (clause->before(doc()) || clause->doc() != doc()) continue;
      const auto score = static_cast<double>(clause->score());
      sum += score;
      maximum = std::max(maximum, score);
    }
    return combination_.maximum ? combine_maximum(maximum, sum, combination_.tie_breaker)
                                : static_cast<float>(sum);
  }

  uint64_t cost() const override {
    return std::accumulate(
        clauses_.begin(), clauses_.end(), uint64_t{0},
        [](uint64_t sum, const ScorerPtr& clause) { return sum + clause->cost(); });
  }
  float bound() const override {
    return combined_bound([](const Scorer& clause) { return clause.bound(); });
  }
  uint32_t block_end(uint32_t target) override {
    uint32_t end = kNoMoreDocs;
    for (const ScorerPtr& clause : clauses_) end = std::min(end, clause->block_end(target));
    return end;
  }
  float window_bound(uint32_t begin, uint32_t end) override {
    return combined_bound([begin, end](Scorer& clause) { return clause.window_bound(begin, end); });
  }
  void set_threshold(float threshold) override {
    threshold_ = threshold;
    checked_to_ = 0;
  }
  void match_window(uint32_t begin, uint32_t end, uint64_t* bits) override {
    if (minimum_ > 1) return Scorer::match_window(begin, end, bits);
    for (const ScorerPtr& clause : clauses_) clause->match_window(begin, end, bits);
  }

 private:
  struct LaterDoc {
    bool operator()(const Scorer* a, const Scorer* b) const { return a->doc() > b->doc(); }
  };

  template <typename Bound>
  float combined_bound(Bound of) const {
    double sum = 0;
    double maximum = 0;
    for (const ScorerPtr& clause : clauses_) {
      const auto bound = static_cast<double>(of(*clause));
      sum += bound;
      maximum = std::max(maximum, bound);
    }
    if (!combination_.maximum) return static_cast<float>(sum);
    // Above a tie breaker of 1 a smaller maximum would score more, so the sum gives the bound.
    constexpr double kSlack = 1 + 1e-6;
    const double bound =
        combination_.tie_breaker <= 1
            ? static_cast<double>(combine_maximum(maximum, sum, combination_.tie_breaker))
            : sum * static_cast<double>(combination_.tie_breaker);
    return static_cast<float>(bound * kSlack);
  }

  /// Moves every clause to its first match >= `target`; the smallest of them is then at the top of
  /// the heap.
  uint32_t advance_heap(uint32_t target) {
    if (!started_) {
      started_ = true;
      for (Scorer* clause : heap_) clause->advance_match(target);
      std::make_heap(heap_.begin(), heap_.end(), LaterDoc());
      return heap_.front()->doc();
    }
    while (heap_.front()->before(target) && !stop_.step()) {
      std::pop_heap(heap_.begin(), heap_.end(), LaterDoc());
      heap_.back()->advance_match(target);
      std::push_heap(heap_.begin(), heap_.end(), LaterDoc());
    }
    return heap_.front()->doc();
  }

  uint32_t count_matches(uint32_t target) const {
    return static_cast<uint32_t>(
        std::count_if(clauses_.begin(), clauses_.end(),
                      [target](const ScorerPtr& clause) { return clause->doc() == target; }));
  }

  uint32_t skip_low_blocks(uint32_t target) {
    while (target != kNoMoreDocs) {
      const uint32_t end = block_end(target);
      if (window_bound(target, end) > threshold_) {
        checked_to_ = end;
        return target;
      }
      target = end;
    }
    return target;
  }

  StopCheck& stop_;
  std::vector<ScorerPtr> clauses_;
  std::vector<Scorer*> heap_;
  uint32_t minimum_;
  ScoreCombination combination_;
  bool started_ = false;
  float threshold_ = kNoThreshold;
  uint32_t checked_to_ = 0;
};

/// Two-phase: its candidates are those of any clause.
class LazyDisjunctionScorer final : public Scorer {
 public:
  LazyDisjunctionScorer(std::vector<ScorerPtr> clauses, uint32_t minimum,
                        ScoreCombination combination, StopCheck& stop)
      : stop_(stop),
        clauses_(std::move(clauses)),
        minimum_(minimum),
        combination_(combination),
        states_(clauses_.size()) {
    // Clauses that need no confirmation decide about most documents.
    for (size_t i = 0; i < clauses_.size(); i++) order_.push_back(i);
    std::stable_partition(order_.begin(), order_.end(),
                          [this](size_t i) { return !clauses_[i]->two_phase(); });
    set_two_phase(true);
  }

  uint32_t next() override { return before(0) ? advance(0) : advance(doc() + 1); }
  uint32_t advance(uint32_t target) override {
    if (stop_.step(static_cast<uint32_t>(clauses_.size()))) return move(kNoMoreDocs);
    uint32_t least = kNoMoreDocs;
    for (const ScorerPtr& clause : clauses_) least = std::min(least, clause->advance_to(target));
    std::fill(states_.begin(), states_.end(), State::kUnknown);
    return move(least);
  }
  bool matches() override {
    uint32_t count = 0;
    for (const size_t i : order_) {
      if (confirm(i) && ++count >= minimum_) return true;
    }
    return false;
  }
  float score() override {
    double sum = 0;
    double maximum = 0;
    for (size_t i = 0; i < clauses_.size(); i++) {
      if (!confirm(i)) continue;
      const auto score = static_cast<double>(clauses_[i]->score());
      sum += score;
      maximum = std::max(maximum, score);
    }
    return combination_.maximum ? combine_maximum(maximum, sum, combination_.tie_breaker)
                                : static_cast<float>(sum);
  }
  uint64_t cost() const override {
    uint64_t sum = 0;
    for (const ScorerPtr& clause : clauses_) sum += clause->cost();
    return sum;
  }
  float bound() const override {
    double sum = 0;
    for (const ScorerPtr& clause : clauses_) sum += static_cast<double>(clause->bound());
    // Of maxima the sum is an upper bound up to a tie breaker of 1.
    const double most = std::max(1.0, static_cast<double>(combination_.tie_breaker));
    return sum_upper_bound(sum * most, clauses_.size());
  }

 private:
  enum class State : uint8_t { kUnknown, kMatches, kFails };

  /// Whether the clause matches the current document; asks it once.
  bool confirm(size_t i) {
    if (clauses_[i]->doc() != doc()) return false;
    if (states_[i] == State::kUnknown)
      states_[i] = clauses_[i]->matches() ? State::kMatches : State::kFails;
    return states_[i] == State::kMatches;
  }

  StopCheck& stop_;
  std::vector<ScorerPtr> clauses_;
  std::vector<size_t> order_;
  uint32_t minimum_;
  ScoreCombination combination_;
  std::vector<State> states_;  // of the clauses at the current document
};

}  // namespace

float combine_maximum(double maximum, double sum, float tie_breaker) noexcept {
  // Both may be infinite, as bounds of scores that have none.
  const double others = sum > maximum ? sum - maximum : 0;
  return static_cast<float>(maximum + others * static_cast<double>(tie_breaker));
}

ScorerPtr make_disjunction(std::vector<ScorerPtr> clauses, uint32_t minimum_should_match,
                           ScoreCombination combination, const Leaf& leaf) {
  if (clauses.size() == 1 && minimum_should_match <= 1) return std::move(clauses[0]);
  return std::make_unique<DisjunctionScorer>(std::move(clauses), minimum_should_match, combination,
                                             *leaf.stop);
}

ScorerPtr make_lazy_disjunction(std::vector<ScorerPtr> clauses, uint32_t minimum_should_match,
                                ScoreCombination combination, const Leaf& leaf) {
  if (clauses.size() == 1 && minimum_should_match <= 1) return std::move(clauses[0]);
  return std::make_unique<LazyDisjunctionScorer>(std::move(clauses), minimum_should_match,
                                                 combination, *leaf.stop);
}

}  // namespace quarry
