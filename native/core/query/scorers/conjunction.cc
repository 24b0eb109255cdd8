// Leap-frog intersection with block-max skipping (Ding and Suel 2011). Without scores, the matches
// of the rarest clause are listed a block at a time, and each other clause filters the list.
#include "query/scorers/conjunction.h"

#include <algorithm>
#include <utility>

#include "query/scorers/join_strategy.h"
#include "query/scorers/window_intersection.h"

namespace quarry {
namespace {

class ConjunctionScorer final : public Scorer {
 public:
  ConjunctionScorer(std::vector<ScorerPtr> scoring, std::vector<ScorerPtr> filters, StopCheck& stop)
      : stop_(stop), scoring_(std::move(scoring)), filters_(std::move(filters)) {
    order_.reserve(scoring_.size() + filters_.size());
    for (const ScorerPtr& scorer : scoring_) order_.push_back(scorer.get());
    for (const ScorerPtr& scorer : filters_) order_.push_back(scorer.get());
    std::stable_sort(order_.begin(), order_.end(),
                     [](const Scorer* a, const Scorer* b) { return a->cost() < b->cost(); });
    for (Scorer* scorer : order_) {
      if (scorer->two_phase()) unconfirmed_.push_back(scorer);
    }
    set_two_phase(!unconfirmed_.empty());
    uint64_t all_bits = 0;
    for (const Scorer* scorer : order_) all_bits += scorer->bits_cost();
    dense_ = join::gathers_bits(all_bits, cost());
    if (dense_) set_bits_cost(all_bits);
    set_listed(!dense_ && !two_phase());
  }

  uint32_t next() override { return align(order_[0]->next()); }
  uint32_t advance(uint32_t target) override { return align(order_[0]->advance_to(target)); }
  bool matches() override {
    return std::all_of(unconfirmed_.begin(), unconfirmed_.end(),
                       [](Scorer* scorer) { return scorer->matches(); });
  }
  float score() override {
    double sum = 0;
    for (const ScorerPtr& scorer : scoring_) sum += static_cast<double>(scorer->score());
    return static_cast<float>(sum);
  }
  uint64_t cost() const override { return order_[0]->cost(); }

  float bound() const override {
    double sum = 0;
    for (const ScorerPtr& scorer : scoring_) sum += static_cast<double>(scorer->bound());
    return static_cast<float>(sum);
  }
  uint32_t block_end(uint32_t target) override {
    uint32_t end = kNoMoreDocs;
    for (const ScorerPtr& scorer : scoring_) end = std::min(end, scorer->block_end(target));
    return end;
  }
  float window_bound(uint32_t begin, uint32_t end) override {
    double sum = 0;
    for (const ScorerPtr& scorer : scoring_)
      sum += static_cast<double>(scorer->window_bound(begin, end));
    return static_cast<float>(sum);
  }
  void set_threshold(float threshold) override {
    threshold_ = threshold;
    checked_to_ = 0;
  }
  void match_window(uint32_t begin, uint32_t end, uint64_t* bits) override {
    if (is_listed()) return list_window(begin, end, bits);
    if (!dense_) return Scorer::match_window(begin, end, bits);
    if (order_.size() == 1) return order_[0]->match_window(begin, end, bits);
    const std::span<const uint64_t> all = window_.of(order_, begin, end);
    for (size_t word = 0; word < all.size(); word++) bits[word] |= all[word];
  }

  uint32_t list_matches(uint32_t from, uint32_t* out) override {
    // A two-phase candidate is confirmed only after every clause has it.
    if (two_phase()) return Scorer::list_matches(from, out);
    // Documents up to lead_to_ were listed already, even those that another clause removed.
    while (uint32_t count = order_[0]->list_matches(std::max(from, lead_to_), out)) {
      lead_to_ = out[count - 1] + 1;
      for (size_t i = 1; i < order_.size() && count > 0; i++)
        count = order_[i]->keep_matches({out, count});
      if (count > 0) return count;
    }
    return 0;
  }
  uint32_t keep_matches(std::span<uint32_t> docs) override {
    if (two_phase()) return Scorer::keep_matches(docs);
    for (Scorer* scorer : order_) docs = docs.first(scorer->keep_matches(docs));
    return static_cast<uint32_t>(docs.size());
  }

 private:
  /// Implements match_window() with list_matches().
  void list_window(uint32_t begin, uint32_t end, uint64_t* bits) {
    while (true) {
      for (; listed_at_ < listed_count_; listed_at_++) {
        const uint32_t doc = listed_[listed_at_];
        if (doc >= end) return;
        if (doc >= begin) bits[(doc - begin) / 64] |= uint64_t{1} << ((doc - begin) % 64);
      }
      const uint32_t from = std::max(begin, listed_to_);
      if (from >= end) return;
      listed_count_ = list_matches(from, listed_);
      listed_at_ = 0;
      listed_to_ = listed_count_ == 0 ? kNoMoreDocs : listed_[listed_count_ - 1] + 1;
    }
  }

  /// First document >= `doc` that all clauses have; `doc` is a document of the lead.
  uint32_t align(uint32_t doc) {
    Scorer& lead = *order_[0];
    size_t i = 1;
    while (doc != kNoMoreDocs) {
      if (stop_.step()) return move(kNoMoreDocs);
      if (threshold_ != kNoThreshold && doc >= checked_to_) {
        const uint32_t competitive = skip_low_blocks(doc);
        if (competitive != doc) {
          doc = competitive == kNoMoreDocs ? kNoMoreDocs : lead.advance_to(competitive);
          i = 1;
          continue;
        }
      }
      if (i == order_.size()) break;
      const uint32_t found = order_[i]->advance_to(doc);
      if (found == doc) {
        i++;
      } else {
        doc = found == kNoMoreDocs ? kNoMoreDocs : lead.advance_to(found);
        i = 1;
      }
    }
    return move(doc);
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
  std::vector<ScorerPtr> scoring_;
  std::vector<ScorerPtr> filters_;
  std::vector<Scorer*> order_;  // cheapest first
  std::vector<Scorer*> unconfirmed_;
  bool dense_ = false;  // gathering the bits of every clause is cheaper than walking the clauses
  WindowIntersection<Scorer> window_;
  uint32_t lead_to_ = 0;  // first document that list_matches() has not listed from the lead
  // State of list_window(): the listed documents, and the place up to which a window took them.
  uint32_t listed_[kBlockDocs];
  uint32_t listed_count_ = 0;
  uint32_t listed_at_ = 0;
  uint32_t listed_to_ = 0;
  float threshold_ = kNoThreshold;
  uint32_t checked_to_ = 0;
};

}  // namespace

ScorerPtr make_conjunction(std::vector<ScorerPtr> scoring, std::vector<ScorerPtr> filters,
                           const Leaf& leaf) {
  if (scoring.size() == 1 && filters.empty()) return std::move(scoring[0]);
  return std::make_unique<ConjunctionScorer>(std::move(scoring), std::move(filters), *leaf.stop);
}

}  // namespace quarry
