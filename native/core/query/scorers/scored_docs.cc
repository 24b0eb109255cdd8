// Iterates over the part of a list of scored documents that lies in a segment.
#include "query/scorers/scored_docs.h"

#include <algorithm>
#include <span>
#include <string>

namespace quarry {
namespace {

/// Skips documents that do not score above the threshold, one by one; best_from_ gives the bounds
/// of the rest of the list.
class ScoredDocsScorer final : public Scorer {
 public:
  ScoredDocsScorer(std::span<const uint32_t> docs, std::span<const float> scores, uint32_t base)
      : docs_(docs), scores_(scores), base_(base), best_from_(scores.begin(), scores.end()) {
    for (size_t i = best_from_.size() - 1; i-- > 0;) {
      best_from_[i] = std::max(best_from_[i], best_from_[i + 1]);
    }
  }

  uint32_t next() override { return take(started_ ? at_ + 1 : 0); }
  uint32_t advance(uint32_t target) override {
    return take(first_from(started_ ? at_ : 0, target));
  }
  float score() override { return scores_[at_]; }
  uint64_t cost() const override { return docs_.size(); }
  float bound() const override { return best_from_[0]; }
  float window_bound(uint32_t begin, uint32_t end) override {
    window_at_ = first_from(window_at_, begin);
    if (window_at_ == docs_.size()) return 0;
    if (end > docs_.back() - base_) return best_from_[window_at_];
    float best = 0;
    for (size_t i = window_at_; docs_[i] - base_ < end; i++) best = std::max(best, scores_[i]);
    return best;
  }
  void set_threshold(float threshold) override { threshold_ = threshold; }

 private:
  /// First entry at or after `from` whose document is >= `target`.
  size_t first_from(size_t from, uint32_t target) const {
    const auto first = docs_.begin() + static_cast<std::ptrdiff_t>(std::min(from, docs_.size()));
    const auto before = [this](uint32_t doc, uint32_t value) { return doc - base_ < value; };
    return static_cast<size_t>(std::lower_bound(first, docs_.end(), target, before) -
                               docs_.begin());
  }
  uint32_t take(size_t at) {
    started_ = true;
    while (at < docs_.size() && !(scores_[at] > threshold_)) at++;
    at_ = std::min(at, docs_.size());
    return move(at_ < docs_.size() ? docs_[at_] - base_ : kNoMoreDocs);
  }

  std::span<const uint32_t> docs_;
  std::span<const float> scores_;
  uint32_t base_;
  std::vector<float> best_from_;  // best score of an entry and all later ones
  size_t at_ = 0;
  size_t window_at_ = 0;
  float threshold_ = kNoThreshold;
  bool started_ = false;
};

}  // namespace

ScoredDocsWeight::Part ScoredDocsWeight::part(const Leaf& leaf) {
  const std::vector<uint32_t>& docs = found().docs;
  const auto begin = std::lower_bound(docs.begin(), docs.end(), leaf.base);
  const auto end = std::lower_bound(begin, docs.end(), uint64_t{leaf.base} + leaf.max_doc);
  return {static_cast<size_t>(begin - docs.begin()), static_cast<size_t>(end - docs.begin())};
}

uint64_t ScoredDocsWeight::cost(const Leaf& leaf) {
  const Part here = part(leaf);
  return here.end - here.begin;
}

ScorerPtr ScoredDocsWeight::scorer(const Leaf& leaf, uint64_t /*lead_cost*/) {
  const Part here = part(leaf);
  const size_t size = here.end - here.begin;
  if (size == 0) return nullptr;
  const ScoredDocs& all = found();
  return std::make_unique<ScoredDocsScorer>(std::span(all.docs).subspan(here.begin, size),
                                            std::span(all.scores).subspan(here.begin, size),
                                            leaf.base);
}

LeafPlan ScoredDocsWeight::plan(const Leaf& leaf, Counting counting) {
  if (counting == Counting::kNone) return {};
  const Part here = part(leaf);
  if (leaf.live == nullptr) return {.count = static_cast<int64_t>(here.end - here.begin)};
  int64_t live = 0;
  for (size_t i = here.begin; i < here.end; i++) {
    if (leaf.live->test(found().docs[i] - leaf.base)) live++;
  }
  return {.count = live};
}

Explanation ScoredDocsWeight::explain(const Leaf& leaf, uint32_t doc) {
  const ScoredDocs& all = found();
  const std::string top = "top " + std::to_string(found_everywhere()) + " documents";
  const auto at = std::lower_bound(all.docs.begin(), all.docs.end(), leaf.base + doc);
  if (at == all.docs.end() || *at != leaf.base + doc) return Explanation::no_match("not in " + top);
  const float score = all.scores[static_cast<size_t>(at - all.docs.begin())];
  return Explanation::matched(static_cast<double>(score), "within " + top);
}

}  // namespace quarry
