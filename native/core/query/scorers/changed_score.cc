// The weight and the scorer that apply a ScoreChange.
#include "query/scorers/changed_score.h"

#include <cmath>
#include <utility>

namespace quarry {
namespace {

class ChangedScorer final : public Scorer {
 public:
  ChangedScorer(ScorerPtr query, std::unique_ptr<LeafScore> change, float min_score,
                const Leaf& leaf)
      : query_(std::move(query)),
        change_(std::move(change)),
        min_score_(min_score),
        counters_(leaf.counters),
        stop_(*leaf.stop) {
    set_two_phase(query_->two_phase() || !std::isnan(min_score_));
  }

  uint32_t next() override { return move(query_->next()); }
  uint32_t advance(uint32_t target) override { return move(query_->advance(target)); }
  bool matches() override {
    if (stop_.step(kStepsPerScore)) return false;
    if (query_->two_phase() && !query_->matches()) return false;
    if (std::isnan(min_score_)) return true;
    checked_ = compute();
    return checked_ >= min_score_;
  }
  float score() override { return std::isnan(min_score_) ? compute() : checked_; }
  uint64_t cost() const override { return query_->cost(); }
  float bound() const override { return std::numeric_limits<float>::infinity(); }

 private:
  static constexpr uint32_t kStepsPerScore = 8;

  float compute() {
    counters_->docs_scored++;
    return change_->score(doc(), query_->score());
  }

  ScorerPtr query_;
  std::unique_ptr<LeafScore> change_;
  float min_score_;
  WorkCounters* counters_;
  StopCheck& stop_;
  float checked_ = 0;
};

class ChangedScoreWeight final : public Weight {
 public:
  ChangedScoreWeight(WeightPtr query, std::unique_ptr<ScoreChange> change, float min_score,
                     bool scores, SearchProgress& progress)
      : query_(std::move(query)),
        change_(std::move(change)),
        min_score_(min_score),
        scores_(scores),
        progress_(progress) {
    set_bound(std::numeric_limits<float>::infinity());
    if (query_->matches_nothing()) set_extent(Extent::kNothing);
  }

  uint64_t cost(const Leaf& leaf) override { return query_->cost(leaf); }
  ScorerPtr scorer(const Leaf& leaf, uint64_t lead_cost) override {
    if (!progress_.failure.ok()) return nullptr;
    ScorerPtr inner = query_->scorer(leaf, lead_cost);
    if (inner == nullptr || (!scores_ && std::isnan(min_score_))) return inner;
    return std::make_unique<ChangedScorer>(std::move(inner), change_->bind(leaf, lead_cost),
                                           min_score_, leaf);
  }
  LeafPlan plan(const Leaf& leaf, Counting counting) override {
    const bool counts = counting != Counting::kNone && std::isnan(min_score_);
    return {.count = counts ? query_->count(leaf) : -1};
  }
  Explanation explain(const Leaf& leaf, uint32_t doc) override {
    Explanation inner = query_->explain(leaf, doc);
    if (!inner.match) return inner;
    Explanation made = change_->explain(leaf, doc, std::move(inner));
    if (std::isnan(min_score_) || made.value >= static_cast<double>(min_score_)) return made;
    const std::string why = "Score value is too low, expected at least " + float_text(min_score_) +
                            " but got " + float_text(made.value);
    std::vector<Explanation> details;
    details.push_back(std::move(made));
    return Explanation::no_match(why, std::move(details));
  }
  void report_matches(const Leaf& leaf, uint32_t doc, MatchSink& sink) override {
    query_->report_matches(leaf, doc, sink);
  }
  std::string describe() const override { return change_->describe(query_->describe()); }

 private:
  WeightPtr query_;
  std::unique_ptr<ScoreChange> change_;
  float min_score_;
  bool scores_;
  SearchProgress& progress_;
};

}  // namespace

WeightPtr make_changed_score(WeightPtr query, std::unique_ptr<ScoreChange> change, float min_score,
                             bool scores, SearchProgress& progress) {
  if (query->matches_nothing()) return query;
  return std::make_unique<ChangedScoreWeight>(std::move(query), std::move(change), min_score,
                                              scores, progress);
}

}  // namespace quarry
