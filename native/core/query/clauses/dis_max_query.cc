// The weight of a disjunction that scores its best clause.
#include "query/clauses/dis_max_query.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "query/plan/clause_table.h"
#include "query/scorers/constant_weight.h"
#include "query/scorers/disjunction.h"
#include "query/scorers/document_matches.h"

namespace quarry {
namespace {

class DisMaxWeight final : public Weight {
 public:
  DisMaxWeight(std::vector<WeightPtr> clauses, float tie_breaker, bool scores)
      : clauses_(std::move(clauses)), tie_breaker_(tie_breaker) {
    if (!scores) return;
    double sum = 0;
    for (const WeightPtr& weight : clauses_) sum += static_cast<double>(weight->bound());
    set_bound(static_cast<float>(sum * std::max(1.0, static_cast<double>(tie_breaker_))));
  }

  uint64_t cost(const Leaf& leaf) override {
    uint64_t sum = 0;
    for (const WeightPtr& weight : clauses_) sum += weight->cost(leaf);
    return std::min<uint64_t>(sum, leaf.max_doc);
  }
  ScorerPtr scorer(const Leaf& leaf, uint64_t lead_cost) override {
    std::vector<ScorerPtr> scorers;
    for (const WeightPtr& weight : clauses_) {
      if (ScorerPtr scorer = weight->scorer(leaf, lead_cost); scorer != nullptr)
        scorers.push_back(std::move(scorer));
    }
    if (scorers.empty()) return nullptr;
    const auto make = runs_script() ? make_lazy_disjunction : make_disjunction;
    return make(std::move(scorers), 1, {true, tie_breaker_}, leaf);
  }
  Explanation explain(const Leaf& leaf, uint32_t doc) override {
    std::vector<Explanation> details;
    double sum = 0;
    double maximum = 0;
    for (const WeightPtr& weight : clauses_) {
      Explanation part = weight->explain(leaf, doc);
      if (!part.match) continue;
      sum += part.value;
      maximum = std::max(maximum, part.value);
      details.push_back(std::move(part));
    }
    if (details.empty()) return Explanation::no_match("No matching clause");
    const std::string what = tie_breaker_ == 0
                                 ? "max of:"
                                 : "max plus " + float_text(tie_breaker_) + " times others of:";
    return Explanation::matched(combine_maximum(maximum, sum, tie_breaker_), what,
                                std::move(details));
  }
  void report_matches(const Leaf& leaf, uint32_t doc, MatchSink& sink) override {
    for (const WeightPtr& weight : clauses_) report_document_matches(*weight, leaf, doc, sink);
  }
  std::string describe() const override {
    std::string text = "(";
    for (size_t i = 0; i < clauses_.size(); i++)
      text += (i > 0 ? " | " : "") + clauses_[i]->describe();
    return text + (tie_breaker_ == 0 ? ")" : ")~" + float_text(tie_breaker_));
  }

 private:
  std::vector<WeightPtr> clauses_;
  float tie_breaker_;
};

}  // namespace

WeightPtr make_dis_max(std::vector<WeightPtr> clauses, float tie_breaker, bool scores) {
  std::erase_if(clauses, [](const WeightPtr& weight) { return weight->matches_nothing(); });
  if (clauses.empty()) return make_no_docs("empty DisjunctionMaxQuery");
  if (clauses.size() == 1) return std::move(clauses[0]);
  return std::make_unique<DisMaxWeight>(std::move(clauses), tie_breaker, scores);
}

Result<WeightPtr> compile_dis_max(PlanReader& reader, Compiler& compiler, Scope scope) {
  const auto tie_breaker = reader.get<float>();
  const auto count = reader.get<uint32_t>();
  if (!std::isfinite(tie_breaker) || count > reader.remaining() / 8)
    return malformed_clause("dis_max");
  if (tie_breaker < 0 || tie_breaker > 1) {
    return Status(ErrorType::kIllegalArgument, "tieBreakerMultiplier must be in [0, 1]");
  }
  std::vector<WeightPtr> clauses;
  for (uint32_t i = 0; i < count; i++) {
    QUARRY_ASSIGN_OR_RETURN(const PlanNode node, read_node(reader));
    QUARRY_ASSIGN_OR_RETURN(WeightPtr weight, compiler.compile(node, scope));
    clauses.push_back(std::move(weight));
  }
  return make_dis_max(std::move(clauses), tie_breaker, scope.scores);
}

}  // namespace quarry
