// The clause `script`: the documents for which a script is true, each with the boost as its score.
#include <memory>
#include <string>
#include <utility>

#include "query/functions/script.h"
#include "query/functions/script_docs.h"
#include "query/plan/clause_table.h"
#include "query/scorers/constant_weight.h"

namespace quarry {
namespace {

/// Proposes every document, and runs the script on those that it has to confirm.
class ScriptQueryScorer final : public Scorer {
 public:
  ScriptQueryScorer(Script& script, const ClauseLevel& level, const Leaf& leaf, float score,
                    SearchProgress& progress)
      : script_(script), docs_(level, leaf), leaf_(leaf), score_(score), progress_(progress) {
    set_two_phase(true);
  }
  uint32_t next() override { return advance(before(0) ? 0 : doc() + 1); }
  uint32_t advance(uint32_t target) override {
    const bool ended = target >= leaf_.max_doc || has_to_end();
    return move(ended ? kNoMoreDocs : target);
  }
  bool matches() override {
    if (has_to_end() || !docs_.has(doc())) return false;
    script_.enter(leaf_);
    const ScriptValue value = script_.run(doc(), 0);
    if (value.kind == ScriptValue::Kind::kTruth) return value.whole != 0 && !has_to_end();
    script_.fail("a [script] query needs a boolean, compare the value");
    return false;
  }
  float score() override { return score_; }
  uint64_t cost() const override { return leaf_.max_doc; }
  float bound() const override { return score_; }

 private:
  bool has_to_end() const { return progress_.stop.stopped() || !progress_.failure.ok(); }

  Script& script_;
  ScriptDocs docs_;
  const Leaf& leaf_;
  float score_;
  SearchProgress& progress_;
};

class ScriptQueryWeight final : public Weight {
 public:
  ScriptQueryWeight(std::unique_ptr<Script> script, ClauseLevel level, float score,
                    SearchProgress& progress)
      : script_(std::move(script)), level_(level), score_(score), progress_(progress) {
    set_bound(score);
  }
  uint64_t cost(const Leaf& leaf) override { return leaf.max_doc; }
  ScorerPtr scorer(const Leaf& leaf, uint64_t /*lead_cost*/) override {
    return std::make_unique<ScriptQueryScorer>(*script_, level_, leaf, score_, progress_);
  }
  Explanation explain(const Leaf& leaf, uint32_t doc) override {
    ScriptQueryScorer scorer(*script_, level_, leaf, score_, progress_);
    if (scorer.advance(doc) == doc && scorer.matches())
      return Explanation::matched(static_cast<double>(score_), describe());
    return Explanation::no_match(describe() + " doesn't match id " + std::to_string(doc));
  }
  std::string describe() const override {
    return "ScriptQuery(" + std::string(script_->source()) + ")";
  }

 private:
  std::unique_ptr<Script> script_;
  ClauseLevel level_;
  float score_;
  SearchProgress& progress_;
};

}  // namespace

Result<WeightPtr> compile_script(PlanReader& reader, Compiler& compiler, Scope scope) {
  QUARRY_RETURN_IF_ERROR(compiler.count_clauses());
  compiler.depends_on_script();
  QUARRY_ASSIGN_OR_RETURN(std::unique_ptr<Script> script, Script::read(reader, compiler));
  if (script->needs_score())
    return Status(ErrorType::kIllegalArgument, "[_score] is not known to a [script] query");
  return WeightPtr(std::make_unique<ScriptQueryWeight>(std::move(script), ClauseLevel(compiler),
                                                       scope.boost, compiler.progress()));
}

}  // namespace quarry
