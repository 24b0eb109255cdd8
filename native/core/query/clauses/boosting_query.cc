// boosting: the documents of a clause, with lower scores where a second clause matches too.
// A weight that multiplies the scores of the documents that a second weight matches.
#include <algorithm>
#include <cmath>
#include <utility>

#include "query/plan/clause_table.h"
#include "query/scorers/document_matches.h"

namespace quarry {
namespace {

class BoostingScorer final : public Scorer {
 public:
  BoostingScorer(ScorerPtr positive, ScorerPtr negative, float factor)
      : positive_(std::move(positive)), negative_(std::move(negative)), factor_(factor) {
    set_two_phase(positive_->two_phase());
  }
  uint32_t next() override { return move(positive_->next()); }
  uint32_t advance(uint32_t target) override { return move(positive_->advance(target)); }
  bool matches() override { return positive_->matches(); }
  float score() override {
    const float score = positive_->score();
    return has_match(*negative_, doc()) ? score * factor_ : score;
  }
  uint64_t cost() const override { return positive_->cost(); }
  float bound() const override { return positive_->bound() * std::max(1.0F, factor_); }
  uint32_t block_end(uint32_t target) override { return positive_->block_end(target); }
  float window_bound(uint32_t begin, uint32_t end) override {
    return positive_->window_bound(begin, end) * std::max(1.0F, factor_);
  }

 private:
  ScorerPtr positive_;
  ScorerPtr negative_;
  float factor_;
};

class BoostingWeight final : public Weight {
 public:
  BoostingWeight(WeightPtr positive, WeightPtr negative, float factor)
      : positive_(std::move(positive)), negative_(std::move(negative)), factor_(factor) {
    set_bound(positive_->bound() * std::max(1.0F, factor_));
    if (positive_->matches_nothing()) set_extent(Extent::kNothing);
  }
  uint64_t cost(const Leaf& leaf) override { return positive_->cost(leaf); }
  ScorerPtr scorer(const Leaf& leaf, uint64_t lead_cost) override {
    ScorerPtr positive = positive_->scorer(leaf, lead_cost);
    if (positive == nullptr) return nullptr;
    ScorerPtr negative = negative_->scorer(leaf, positive_->cost(leaf));
    if (negative == nullptr) return positive;
    return std::make_unique<BoostingScorer>(std::move(positive), std::move(negative), factor_);
  }
  LeafPlan plan(const Leaf& leaf, Counting counting) override {
    return {.count = counting == Counting::kNone ? -1 : positive_->count(leaf)};
  }
  Explanation explain(const Leaf& leaf, uint32_t doc) override {
    Explanation part = positive_->explain(leaf, doc);
    if (!part.match || !negative_->explain(leaf, doc).match) return part;
    const double value = static_cast<double>(static_cast<float>(part.value) * factor_);
    std::vector<Explanation> details;
    details.push_back(std::move(part));
    details.push_back(
        Explanation::matched(factor_, "negative boost, matches (" + negative_->describe() + ")"));
    return Explanation::matched(value, "product of:", std::move(details));
  }
  void report_matches(const Leaf& leaf, uint32_t doc, MatchSink& sink) override {
    positive_->report_matches(leaf, doc, sink);
  }
  std::string describe() const override {
    return "(" + positive_->describe() + ", (" + negative_->describe() + ")^" +
           float_text(factor_) + ")";
  }

 private:
  WeightPtr positive_;
  WeightPtr negative_;
  float factor_;
};

}  // namespace

Result<WeightPtr> compile_boosting(PlanReader& reader, Compiler& compiler, Scope scope) {
  QUARRY_ASSIGN_OR_RETURN(const PlanNode positive, read_node(reader));
  QUARRY_ASSIGN_OR_RETURN(const PlanNode negative, read_node(reader));
  const auto factor = reader.get<float>();
  if (reader.failed() || !std::isfinite(factor)) return malformed_clause("boosting");
  if (factor < 0) {
    return Status(ErrorType::kIllegalArgument,
                  "[boosting] query requires negative_boost to be set to be a positive value");
  }
  QUARRY_ASSIGN_OR_RETURN(WeightPtr kept, compiler.compile(positive, scope));
  QUARRY_ASSIGN_OR_RETURN(WeightPtr lowered, compiler.compile_filter(negative));
  return WeightPtr(std::make_unique<BoostingWeight>(std::move(kept), std::move(lowered), factor));
}

}  // namespace quarry
