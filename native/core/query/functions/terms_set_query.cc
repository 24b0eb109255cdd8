// terms_set: documents whose field has at least some of the terms; how many, each document says by
// a field or a script. Scores the sum of the terms that a document has.
#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "mapping/values/numeric.h"
#include "query/clauses/term_query.h"
#include "query/functions/script.h"
#include "query/functions/script_docs.h"
#include "query/plan/clause_table.h"
#include "query/scorers/constant_weight.h"
#include "query/scorers/minimum_should_match.h"

namespace quarry {
namespace {

/// The least number of terms that a document needs.
struct Minimum {
  uint32_t constant = 0;  // without a field and a script
  const Field* field = nullptr;
  std::unique_ptr<Script> script;

  /// Nothing: the document cannot match.
  std::optional<int64_t> of(const Leaf& leaf, uint32_t doc) const {
    if (script != nullptr) return of_script(leaf, doc);
    if (field == nullptr) return constant;
    const SegmentField* held = leaf.segment->field(field->name);
    if (held == nullptr || held->column == nullptr || held->column->count(doc) == 0)
      return std::nullopt;
    return whole(column_to_double(*field, held->column->value(doc)));
  }

 private:
  static int64_t whole(double number) {
    if (!(number > 1)) return 1;
    return static_cast<int64_t>(std::min(number, 1e9));
  }
  std::optional<int64_t> of_script(const Leaf& leaf, uint32_t doc) const {
    script->enter(leaf);
    const ScriptValue made = script->run(doc, 0);
    if (made.kind == ScriptValue::Kind::kWhole || made.kind == ScriptValue::Kind::kNumber)
      return whole(made.as_number());
    script->fail("[minimum_should_match_script] needs a number");
    return std::nullopt;
  }
};

/// A heap of terms by document. The terms of a document are counted before its minimum is looked
/// up.
class TermsSetScorer final : public Scorer {
 public:
  TermsSetScorer(std::vector<ScorerPtr> terms, const Minimum& minimum, const ClauseLevel& level,
                 const Leaf& leaf, SearchProgress& progress)
      : terms_(std::move(terms)),
        minimum_(minimum),
        docs_(level, leaf),
        leaf_(leaf),
        progress_(progress) {
    for (const ScorerPtr& term : terms_) heap_.push_back(term.get());
    std::make_heap(heap_.begin(), heap_.end(), LaterDoc());
    set_two_phase(true);
  }

  uint32_t next() override { return advance(before(0) ? 0 : doc() + 1); }
  uint32_t advance(uint32_t target) override {
    if (!progress_.failure.ok()) return move(kNoMoreDocs);
    while (!heap_.empty() && heap_.front()->before(target)) {
      if (progress_.stop.step()) return move(kNoMoreDocs);
      std::pop_heap(heap_.begin(), heap_.end(), LaterDoc());
      heap_.back()->advance_match(target);
      std::push_heap(heap_.begin(), heap_.end(), LaterDoc());
    }
    return move(heap_.empty() ? kNoMoreDocs : heap_.front()->doc());
  }
  bool matches() override {
    if (progress_.stop.stopped() || !docs_.has(doc())) return false;
    const std::optional<int64_t> least = minimum_.of(leaf_, doc());
    return least && count() >= std::max<int64_t>(1, *least);
  }
  float score() override {
    double sum = 0;
    for (const ScorerPtr& term : terms_) {
      if (term->doc() == doc()) sum += static_cast<double>(term->score());
    }
    return static_cast<float>(sum);
  }
  uint64_t cost() const override {
    uint64_t sum = 0;
    for (const ScorerPtr& term : terms_) sum += term->cost();
    return sum;
  }
  float bound() const override {
    double sum = 0;
    for (const ScorerPtr& term : terms_) sum += static_cast<double>(term->bound());
    return sum_upper_bound(sum, terms_.size());
  }

 private:
  struct LaterDoc {
    bool operator()(const Scorer* a, const Scorer* b) const { return a->doc() > b->doc(); }
  };

  /// The terms at the current document: those of the heap from its top, as far as they are there.
  int64_t count() const { return count_below(0); }
  int64_t count_below(size_t at) const {
    if (at >= heap_.size() || heap_[at]->doc() != doc()) return 0;
    return 1 + count_below(2 * at + 1) + count_below(2 * at + 2);
  }

  std::vector<ScorerPtr> terms_;
  std::vector<Scorer*> heap_;
  const Minimum& minimum_;
  ScriptDocs docs_;
  const Leaf& leaf_;
  SearchProgress& progress_;
};

class TermsSetWeight final : public Weight {
 public:
  TermsSetWeight(std::string field, std::vector<WeightPtr> terms, Minimum minimum,
                 ClauseLevel level, SearchProgress& progress)
      : field_(std::move(field)),
        terms_(std::move(terms)),
        minimum_(std::move(minimum)),
        level_(level),
        progress_(progress) {
    double sum = 0;
    for (const WeightPtr& term : terms_) sum += static_cast<double>(term->bound());
    set_bound(sum_upper_bound(sum, terms_.size()));
  }
  uint64_t cost(const Leaf& leaf) override {
    uint64_t sum = 0;
    for (const WeightPtr& term : terms_) sum += term->cost(leaf);
    return std::min<uint64_t>(sum, leaf.max_doc);
  }
  ScorerPtr scorer(const Leaf& leaf, uint64_t lead_cost) override {
    std::vector<ScorerPtr> scorers;
    for (const WeightPtr& term : terms_) {
      ScorerPtr scorer = term->scorer(leaf, lead_cost);
      if (scorer == nullptr) continue;
      scorer->next_match();
      scorers.push_back(std::move(scorer));
    }
    if (scorers.empty()) return nullptr;
    return std::make_unique<TermsSetScorer>(std::move(scorers), minimum_, level_, leaf, progress_);
  }
  Explanation explain(const Leaf& leaf, uint32_t doc) override {
    std::vector<Explanation> parts;
    double sum = 0;
    for (const WeightPtr& term : terms_) {
      Explanation part = term->explain(leaf, doc);
      if (!part.match) continue;
      sum += part.value;
      parts.push_back(std::move(part));
    }
    const std::optional<int64_t> least = minimum_.of(leaf, doc);
    if (!least || parts.empty() || static_cast<int64_t>(parts.size()) < *least) {
      return Explanation::no_match(std::to_string(parts.size()) + " matches but expected " +
                                   (least ? std::to_string(*least) : "a number of them"));
    }
    return Explanation::matched(static_cast<double>(static_cast<float>(sum)),
                                "sum of:", std::move(parts));
  }
  void report_matches(const Leaf& leaf, uint32_t doc, MatchSink& sink) override {
    for (const WeightPtr& term : terms_) {
      if (term->explain(leaf, doc).match) term->report_matches(leaf, doc, sink);
    }
  }
  std::string describe() const override {
    return "terms_set(" + field_ + ", terms: " + std::to_string(terms_.size()) + ")";
  }

 private:
  std::string field_;
  std::vector<WeightPtr> terms_;
  Minimum minimum_;
  ClauseLevel level_;
  SearchProgress& progress_;
};

Status read_minimum(PlanReader& reader, Compiler& compiler, uint32_t terms, Minimum& out) {
  const std::string name(reader.get_string());
  const std::string_view spec = reader.get_string();
  const auto scripted = reader.get<uint8_t>();
  if (reader.failed() || scripted > 1) return malformed_clause("terms_set");
  if (scripted == 1) {
    compiler.depends_on_script();
    QUARRY_ASSIGN_OR_RETURN(out.script, Script::read(reader, compiler));
    return {};
  }
  if (name.empty()) {
    QUARRY_ASSIGN_OR_RETURN(out.constant, minimum_should_match(spec, terms));
    return {};
  }
  const ResolvedField resolved = compiler.resolve(name);
  if (resolved.kind != ResolvedField::Kind::kField) {
    return {ErrorType::kQueryShard, "failed to find minimum_should_match field [" + name + "]"};
  }
  out.field = resolved.field;
  if (out.field->is_numeric() && out.field->doc_values) return {};
  return illegal_argument("[minimum_should_match_field] needs a number with doc values, field [" +
                          name + "] is of type [" + std::string(field_type_name(out.field->type)) +
                          "]");
}

}  // namespace

Result<WeightPtr> compile_terms_set(PlanReader& reader, Compiler& compiler, Scope scope) {
  const std::string name(reader.get_string());
  const auto count = reader.get<uint32_t>();
  if (count > reader.remaining()) return malformed_clause("terms_set");
  QUARRY_RETURN_IF_ERROR(compiler.count_clauses(std::max(count, 1U)));
  std::vector<Scalar> values;
  for (uint32_t i = 0; i < count; i++) values.push_back(read_scalar(reader));
  if (reader.failed()) return malformed_clause("terms_set");
  Minimum minimum;
  QUARRY_RETURN_IF_ERROR(read_minimum(reader, compiler, count, minimum));
  if (values.empty()) return make_no_docs("No terms supplied for \"terms_set\" query.");
  const ResolvedField resolved = compiler.resolve(name);
  if (resolved.kind == ResolvedField::Kind::kUnmapped) return make_no_docs("unmapped field");
  std::vector<WeightPtr> terms;
  for (const Scalar& value : values) {
    QUARRY_ASSIGN_OR_RETURN(WeightPtr term, make_field_term(compiler, resolved, value, scope));
    terms.push_back(std::move(term));
  }
  return WeightPtr(std::make_unique<TermsSetWeight>(name, std::move(terms), std::move(minimum),
                                                    ClauseLevel(compiler), compiler.progress()));
}

}  // namespace quarry
