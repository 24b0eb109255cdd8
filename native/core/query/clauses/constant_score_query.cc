// A weight that replaces the scores of another one.
#include "query/clauses/constant_score_query.h"

#include <utility>

#include "query/plan/clause_table.h"
#include "query/scorers/constant_weight.h"

namespace quarry {
namespace {

class ReplacedScorer final : public Scorer {
 public:
  ReplacedScorer(ScorerPtr inner, float score) : inner_(std::move(inner)), score_(score) {
    set_two_phase(inner_->two_phase());
  }
  uint32_t next() override { return move(exhausted_ ? kNoMoreDocs : inner_->next()); }
  uint32_t advance(uint32_t target) override {
    return move(exhausted_ ? kNoMoreDocs : inner_->advance(target));
  }
  bool matches() override { return inner_->matches(); }
  float score() override { return score_; }
  uint64_t cost() const override { return inner_->cost(); }
  float bound() const override { return score_; }
  void set_threshold(float threshold) override { exhausted_ = score_ <= threshold; }
  void match_window(uint32_t begin, uint32_t end, uint64_t* bits) override {
    inner_->match_window(begin, end, bits);
  }

 private:
  ScorerPtr inner_;
  float score_;
  bool exhausted_ = false;
};

class ConstantScoreWeight final : public Weight {
 public:
  ConstantScoreWeight(WeightPtr inner, float score) : inner_(std::move(inner)), score_(score) {
    set_bound(score);
  }
  uint64_t cost(const Leaf& leaf) override { return inner_->cost(leaf); }
  ScorerPtr scorer(const Leaf& leaf, uint64_t lead_cost) override {
    ScorerPtr inner = inner_->scorer(leaf, lead_cost);
    if (inner == nullptr) return nullptr;
    return std::make_unique<ReplacedScorer>(std::move(inner), score_);
  }
  LeafPlan plan(const Leaf& leaf, Counting counting) override {
    return {.count = counting == Counting::kNone ? -1 : inner_->count(leaf)};
  }
  Explanation explain(const Leaf& leaf, uint32_t doc) override {
    Explanation inner = inner_->explain(leaf, doc);
    if (!inner.match)
      return Explanation::no_match(describe() + " doesn't match id " + std::to_string(doc));
    return Explanation::matched(score_, describe());
  }
  void report_matches(const Leaf& leaf, uint32_t doc, MatchSink& sink) override {
    inner_->report_matches(leaf, doc, sink);
  }
  std::string describe() const override { return "ConstantScore(" + inner_->describe() + ")"; }

 private:
  WeightPtr inner_;
  float score_;
};

}  // namespace

WeightPtr make_constant_score(WeightPtr filter, float score) {
  if (filter->matches_nothing()) return filter;
  if (filter->matches_everything()) return std::make_unique<AllDocsWeight>(score);
  return std::make_unique<ConstantScoreWeight>(std::move(filter), score);
}

Result<WeightPtr> compile_constant_score(PlanReader& reader, Compiler& compiler, Scope scope) {
  QUARRY_ASSIGN_OR_RETURN(const PlanNode node, read_node(reader));
  QUARRY_ASSIGN_OR_RETURN(WeightPtr filter, compiler.compile_filter(node));
  return make_constant_score(std::move(filter), scope.boost);
}

}  // namespace quarry
